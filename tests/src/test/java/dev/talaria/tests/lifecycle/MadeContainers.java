package dev.talaria.tests.lifecycle;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.testkit.DockerClient;
import dev.talaria.testkit.DockerClient.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A minimal backend that creates something outside: a plain container for each sandbox.
///
/// Option `image`: an image other than the testbed's. Option `here`: commands run on this machine, beside the
/// container. Option `gate`: the client waits for this file, and creates a file `GATE.waits` meanwhile.
final class MadeContainers implements Backend {
    final List<SandboxSpec> opened = new CopyOnWriteArrayList<>();
    volatile List<String> remarks = List.of(); // set by the test
    volatile boolean shortLived; // set by the test: each container ends at once

    @Override
    public String name() {
        return "made-containers";
    }

    static boolean exists(SandboxSpec spec) {
        return DockerClient.exists(spec.outsideName());
    }

    private static Output make(Optional<String> gate, List<String> words) {
        String waits = ": > \"$0.waits\"; while [ ! -e \"$0\" ]; do sleep 0.05; done; exec docker \"$@\"";
        List<String> argv = new ArrayList<>(
                gate.map(file -> List.of("sh", "-c", waits, file)).orElse(List.of("docker")));
        argv.addAll(words);
        return DockerClient.run(argv);
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        List<String> words = new ArrayList<>(List.of("run", "-d", "--init", "--network", "none"));
        words.addAll(List.of("--name", spec.outsideName()));
        spec.labels().forEach((name, value) -> words.addAll(List.of("--label", name + "=" + value)));
        words.addAll(
                List.of(spec.options().getOrDefault("image", DockerClient.image()), "sleep", shortLived ? "0" : "600"));
        Output output = make(Optional.ofNullable(spec.options().get("gate")), words);
        if (output.status() != 0) {
            throw new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, output.text());
        }
        opened.add(spec);
        Sandbox exec = spec.options().containsKey("here")
                ? new LocalBackend()
                        .open(spec.cwd().map(SandboxSpec.empty()::in).orElse(SandboxSpec.empty()))
                : new Inside(spec);
        return new Container(spec, exec, remarks);
    }

    @Override
    public boolean leavesThings() {
        return true;
    }

    @Override
    public void remove(SandboxSpec spec) {
        Output output = DockerClient.docker("rm", "-f", "-v", spec.outsideName());
        if (output.status() != 0 && !output.text().contains("No such container")) {
            throw new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, output.text());
        }
    }

    private record Inside(SandboxSpec spec) implements Sandbox {
        @Override
        public String name() {
            return spec.outsideName();
        }

        @Override
        public Isolation isolation() {
            return Isolation.CONTAINER;
        }

        @Override
        public boolean sharesHost() {
            return false;
        }

        @Override
        public RunningProcess start(Command command) {
            String folder = command.cwd().or(spec::cwd).orElse("/tmp");
            List<String> client = new ArrayList<>(List.of("docker", "exec", "-i", "-w", folder, spec.outsideName()));
            client.addAll(command.argv());
            return new LocalBackend()
                    .open(SandboxSpec.empty())
                    .start(new Command(client, Optional.empty(), Optional.empty()));
        }

        @Override
        public void close() {
            // The maker of the container removes it.
        }
    }

    private record Container(SandboxSpec spec, Sandbox exec, List<String> remarks) implements Sandbox {
        @Override
        public String name() {
            return "made:" + spec.outsideName();
        }

        @Override
        public Isolation isolation() {
            return exec.isolation();
        }

        @Override
        public boolean sharesHost() {
            return exec.sharesHost();
        }

        @Override
        public boolean keepsProcesses() {
            return exec.keepsProcesses();
        }

        @Override
        public boolean reachesHost() {
            return exec.reachesHost();
        }

        @Override
        public boolean alive() {
            return DockerClient.docker("inspect", "--format", "{{.State.Running}}", spec.outsideName())
                    .equals(new Output(0, "true"));
        }

        @Override
        public RunningProcess start(Command command) {
            return exec.start(command);
        }

        @Override
        public void close() {
            DockerClient.docker("rm", "-f", "-v", spec.outsideName());
        }
    }
}
