package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.util.List;

/// Measures a warm run in a sandbox elsewhere. It may cost as much as a local run and one round trip.
final class HelloRemote implements Row {
    private final String sandbox;
    private final RemoteSandbox.Finder finder;
    private final double bound;

    private HelloRemote(String sandbox, RemoteSandbox.Finder finder, double bound) {
        this.sandbox = sandbox;
        this.finder = finder;
        this.bound = bound;
    }

    static Row docker() {
        return new HelloRemote("docker", _ -> RemoteSandbox.docker(), 1.5);
    }

    static Row ssh() {
        return new HelloRemote("ssh", _ -> RemoteSandbox.ssh(), 1.5);
    }

    static Row apptainer() {
        return new HelloRemote("apptainer", _ -> RemoteSandbox.apptainer(), 1.5);
    }

    /// Returns a row without a bound: a fork alone takes some 28 ms there.
    static Row gvisor() {
        return new HelloRemote("gvisor", _ -> RemoteSandbox.gvisor(), Double.POSITIVE_INFINITY);
    }

    @Override
    public String name() {
        return "hello-" + sandbox;
    }

    @Override
    public String what() {
        return "the same hello in " + sandbox
                + ", less one stream round trip; floor: the warm local run; plain: four commands there";
    }

    @Override
    public double bound() {
        return bound;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (RemoteSandbox elsewhere = finder.find(context);
                Engine local = Engine.builder().settings(context.settings()).build();
                Engine remote = elsewhere.engine(context).build();
                Child echo = new Child(elsewhere.command("cat"), context)) {
            List<Sample> samples = Pairs.alternate(
                    context.warmUp(),
                    context.pairs(),
                    Pairs.timed(() -> Scripts.hello(local)),
                    Pairs.timed(() -> Scripts.hello(remote)),
                    Pairs.timed(() -> echo.ask("echo")));
            Sample roundTrip = samples.get(2);
            return Measurement.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, context.rounds(50), Pairs.timed(() -> elsewhere.fourCommands(context))))
                    .withOverhead(roundTrip.median())
                    .withNotes(List.of("one round trip " + Table.time(roundTrip.median()) + " (p90 "
                            + Table.time(roundTrip.p90()) + ")"));
        }
    }
}
