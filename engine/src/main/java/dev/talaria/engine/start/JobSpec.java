package dev.talaria.engine.start;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Something to start in a sandbox: a script or a program.
public sealed interface JobSpec {

    /// Returns the environment variables to set; where {@link #inherit()}, on top of the sandbox's own.
    Map<String, String> environment();

    /// Returns whether the sandbox's own environment is the base, as for sandboxes that are not this machine.
    boolean inherit();

    Optional<String> cwd();

    Bounds bounds();

    /// A Python script, run as `python3 script.py` would.
    ///
    /// @param python interpreter inside the sandbox; the relay's own if absent
    /// @param stubs source of the module `hermes_tools`
    /// @param socket where the script finds its tools: a socket of the host, or the relay's own if absent
    /// @param live whether somebody watches the output while it runs
    record Script(
            String code,
            List<String> args,
            Optional<String> python,
            Stubs stubs,
            Optional<String> socket,
            Map<String, String> environment,
            boolean inherit,
            Optional<String> cwd,
            Bounds bounds,
            boolean live)
            implements JobSpec {
        public Script {
            args = List.copyOf(args);
            environment = Map.copyOf(environment);
        }
    }

    /// A program without a shell in between.
    record Program(
            List<String> argv,
            boolean stdin,
            Map<String, String> environment,
            boolean inherit,
            Optional<String> cwd,
            Bounds bounds)
            implements JobSpec {
        public Program {
            argv = List.copyOf(argv);
            environment = Map.copyOf(environment);
        }

        /// Returns the same program with standard input.
        public Program withInput() {
            return new Program(argv, true, environment, inherit, cwd, bounds);
        }
    }

    /// A program that is tracked: it outlives the call that starts it, takes input, and its process id is told.
    ///
    /// @param screen the size of its terminal, if it has one instead of pipes
    record Background(Program program, Optional<Screen> screen) implements JobSpec {
        @Override
        public Map<String, String> environment() {
            return program.environment();
        }

        @Override
        public boolean inherit() {
            return program.inherit();
        }

        @Override
        public Optional<String> cwd() {
            return program.cwd();
        }

        @Override
        public Bounds bounds() {
            return program.bounds();
        }
    }

    /// The size of a terminal.
    record Screen(int rows, int columns) {
        public static final Screen STANDARD = new Screen(30, 120);
    }

    /// The generated stub module and a name for its content.
    record Stubs(String source, String hash) {}

    /// What the job may use; absent means unlimited.
    ///
    /// @param memory bytes of address space, per process
    /// @param processes processes at one time, the first included
    record Bounds(Optional<Long> memory, Optional<Integer> processes) {
        public static Bounds none() {
            return new Bounds(Optional.empty(), Optional.empty());
        }
    }
}
