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
    public Measured measure(BenchContext yard) throws Exception {
        try (RemoteSandbox docker = RemoteSandbox.docker();
                Engine local = Engine.builder().settings(yard.settings()).build();
                Engine remote = docker.engine(yard).build();
                Child echo = new Child(docker.command("cat"), yard)) {
            List<Sample> samples = Pairs.alternate(
                    yard.warmUp(),
                    yard.pairs(),
                    Pairs.timed(() -> TerminalEcho.echo(local)),
                    Pairs.timed(() -> TerminalEcho.echo(remote)),
                    Pairs.timed(() -> echo.ask("echo")));
            List<String> exec = docker.command("bash", "-c", "echo hi");
            return Measured.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, yard.rounds(20), Pairs.timed(() -> Child.run(exec, yard, ""))))
                    .withOverhead(samples.get(2).median());
        }
    }
}
