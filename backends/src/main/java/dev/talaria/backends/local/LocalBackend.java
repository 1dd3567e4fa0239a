package dev.talaria.backends.local;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.LocalProcess;
import java.util.Map;
import java.util.Optional;

/// Runs commands on this machine, as this user: nothing is kept out.
///
/// A command gets a session of its own, so that a Ctrl-C on the user's terminal reaches only Talaria
/// and no command can open `/dev/tty`. A program that cannot be started ends with 127 or 126 and a
/// message on stderr, as in a shell.
public final class LocalBackend implements Backend {

    @Override
    public String name() {
        return "local";
    }

    @Override
    public boolean worksInHostFolders() {
        return true;
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        Options.of(this, spec).allow();
        return new LocalSandbox(spec.cwd(), spec.environment());
    }

    private record LocalSandbox(Optional<String> cwd, Optional<Map<String, String>> environment) implements Sandbox {

        @Override
        public String name() {
            return "local";
        }

        @Override
        public Isolation isolation() {
            return Isolation.NONE;
        }

        @Override
        public boolean sharesHost() {
            return true;
        }

        @Override
        public boolean keepsProcesses() {
            return true;
        }

        @Override
        public RunningProcess start(Command command) {
            return LocalProcess.start(new Command(
                    command.argv(),
                    command.cwd().or(() -> cwd),
                    command.environment().or(() -> environment)));
        }

        @Override
        public void close() {
            // Nothing to release: the starter of a process closes it.
        }
    }
}
