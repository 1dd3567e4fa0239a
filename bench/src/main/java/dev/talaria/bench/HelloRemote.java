package dev.talaria.bench;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A warm run in a sandbox behind a command prefix. It may cost what a local run costs, and one round trip on top.
final class HelloRemote implements Row {
    private final String backend;

    private HelloRemote(String backend) {
        this.backend = backend;
    }

    static Row docker() {
        return new HelloRemote("docker");
    }

    static Row ssh() {
        return new HelloRemote("ssh");
    }

    /// How the sandbox is entered: by our backend, and by hand.
    private record Place(Map<String, String> options, List<String> prefix) {

        List<String> command(String... argv) {
            List<String> all = new ArrayList<>(prefix);
            all.addAll(List.of(argv));
            return all;
        }
    }

    @Override
    public String name() {
        return "hello-" + backend;
    }

    @Override
    public String what() {
        return "the same hello through " + backend
                + ", less one stream round trip; floor: the warm local run; plain: four "
                + (backend.equals("docker") ? "docker execs" : "ssh commands");
    }

    @Override
    public double bound() {
        return 1.5;
    }

    @Override
    public Measured measure(Yard yard) throws Exception {
        Place place = place();
        try (Engine local = Engine.builder().settings(yard.settings()).build();
                Engine remote = Engine.builder()
                        .settings(Settings.defaults(Folders.below(yard.folder())))
                        .backend(backend, place.options())
                        .build();
                Child echo = new Child(place.command("cat"), yard)) {
            List<Sample> samples = Pairs.alternate(
                    yard.warmUp(),
                    yard.pairs(),
                    Pairs.timed(() -> Scripts.hello(local)),
                    Pairs.timed(() -> Scripts.hello(remote)),
                    Pairs.timed(() -> echo.ask("echo")));
            Sample roundTrip = samples.get(2);
            return Measured.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, yard.rounds(50), Pairs.timed(() -> fourCommands(place, yard))))
                    .withOverhead(roundTrip.median())
                    .withNotes(List.of("one round trip " + Table.time(roundTrip.median()) + " (p90 "
                            + Table.time(roundTrip.p90()) + ")"));
        }
    }

    private Place place() throws Row.Unavailable, IOException {
        if (backend.equals("docker")) {
            String container = Testbed.require("DOCKER_CONTAINER");
            return new Place(Map.of("container", container), List.of("docker", "exec", "-i", container));
        }
        String host = Testbed.require("SSH_HOST");
        String config = Testbed.require("SSH_CONFIG");
        return new Place(
                Map.of("host", host, "config", config),
                List.of("ssh", "-F", config, "-T", "-o", "BatchMode=yes", "--", host));
    }

    /// What one does without a relay: make a folder, send the script, run it, clean up.
    private static void fourCommands(Place place, Yard yard) throws IOException, InterruptedException {
        String folder = "/tmp/talaria-bench-" + ProcessHandle.current().pid();
        Child.run(place.command("mkdir", "-p", folder), yard, "");
        Child.run(place.command("tee", folder + "/script.py"), yard, Scripts.HELLO);
        Child.run(place.command("python3", folder + "/script.py"), yard, "");
        Child.run(place.command("rm", "-r", folder), yard, "");
    }
}
