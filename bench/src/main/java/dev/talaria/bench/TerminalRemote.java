package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.util.List;

/// Measures a warm command in a container. It may cost as much as a local one and one round trip.
final class TerminalRemote implements Row {

    @Override
    public String name() {
        return "terminal-docker";
    }

    @Override
    public String what() {
        return "terminal of `echo hi` in Docker, less one stream round trip; floor: the warm local one; plain: docker exec";
    }

    @Override
    public double bound() {
        return 1.5;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (RemoteSandbox docker = RemoteSandbox.docker();
                Engine local = Engine.builder().settings(context.settings()).build();
                Engine remote = docker.engine(context).build();
                Child echo = new Child(docker.command("cat"), context)) {
            List<Sample> samples = Pairs.alternate(
                    context.warmUp(),
                    context.pairs(),
                    Pairs.timed(() -> TerminalEcho.echo(local)),
                    Pairs.timed(() -> TerminalEcho.echo(remote)),
                    Pairs.timed(() -> echo.ask("echo")));
            List<String> exec = docker.command("bash", "-c", "echo hi");
            return Measurement.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, context.rounds(20), Pairs.timed(() -> Child.run(exec, context, ""))))
                    .withOverhead(samples.get(2).median());
        }
    }
}
