package dev.talaria.engine.job;

import java.util.LinkedHashMap;
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

    /// Returns who tells sudo its password, if this may use it.
    Optional<Askpass> askpass();

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
        @Override
        public Optional<Askpass> askpass() {
            return Optional.empty();
        }

        public Script {
            args = List.copyOf(args);
            environment = Map.copyOf(environment);
        }
    }

    /// A program without a shell in between.
    ///
    /// @param line the command line, if the program is a shell of the session: a relay runs that instead of
    ///     `argv`, with all that survives between command lines
    record Program(
            List<String> argv,
            boolean stdin,
            Map<String, String> environment,
            boolean inherit,
            Optional<String> cwd,
            Bounds bounds,
            Optional<Line> line)
            implements JobSpec {
        public Program {
            argv = List.copyOf(argv);
            environment = Map.copyOf(environment);
        }

        public Program(
                List<String> argv,
                boolean stdin,
                Map<String, String> environment,
                boolean inherit,
                Optional<String> cwd,
                Bounds bounds) {
            this(argv, stdin, environment, inherit, cwd, bounds, Optional.empty());
        }

        @Override
        public Optional<Askpass> askpass() {
            return line.flatMap(Line::askpass);
        }

        /// Returns the same program, with its standard input to be written.
        public Program withInput() {
            return new Program(argv, true, environment, inherit, cwd, bounds, line);
        }

        /// Returns the same program, whose command line may ask for sudo's password.
        public Program withAskpass(Askpass askpass) {
            return new Program(
                    argv, stdin, environment, inherit, cwd, bounds, line.map(known -> known.withAskpass(askpass)));
        }

        /// Returns the same program with more variables, which nobody after it sees.
        public Program withVariables(Map<String, String> own) {
            Map<String, String> all = new LinkedHashMap<>(environment);
            all.putAll(own);
            return new Program(
                    argv,
                    stdin,
                    all,
                    inherit,
                    cwd,
                    bounds,
                    line.map(known -> new Line(
                            known.command,
                            known.folder,
                            known.workdir,
                            known.start,
                            known.secrets,
                            own,
                            known.askpass)));
        }
    }

    /// A command line of a session.
    ///
    /// @param folder where a session begins; absent means where its sandbox does
    /// @param workdir the folder for this command line alone
    /// @param secrets parts of variables' names that nothing may be kept of
    /// @param own variables for this command line alone
    /// @param askpass who tells sudo its password, if the command line may use it
    record Line(
            String command,
            Optional<String> folder,
            Optional<String> workdir,
            Start start,
            List<String> secrets,
            Map<String, String> own,
            Optional<Askpass> askpass) {
        public Line {
            secrets = List.copyOf(secrets);
            own = Map.copyOf(own);
        }

        Line withAskpass(Askpass newAskpass) {
            return new Line(command, folder, workdir, start, secrets, own, Optional.of(newAskpass));
        }

        /// What a shell begins with.
        public enum Start {
            /// A login shell that runs nothing; what it has is what the session begins with.
            SNAPSHOT,
            /// What the session has: the snapshot, and what command lines have changed since.
            RESTORED,
            /// A login shell, where no snapshot is to be had.
            LOGIN
        }
    }

    /// A program that is tracked: it may outlive the call that starts it, and its process id is told.
    ///
    /// @param screen the size of its terminal, if it has one instead of pipes
    /// @param apart whether what it leaves (folder, variables) is nobody's; otherwise it is its session's, until
    ///     {@link Job#detach}
    record Background(Program program, Optional<Screen> screen, boolean apart) implements JobSpec {
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

        @Override
        public Optional<Askpass> askpass() {
            return program.askpass();
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
