package dev.talaria.engine.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Something to start in a sandbox: a script or a program.
public sealed interface JobSpec {

    Surroundings surroundings();

    default Map<String, String> environment() {
        return surroundings().environment();
    }

    default boolean inherit() {
        return surroundings().inherit();
    }

    default Optional<String> cwd() {
        return surroundings().cwd();
    }

    default Bounds bounds() {
        return surroundings().bounds();
    }

    /// Returns who gives sudo its password, if this job may use sudo.
    default Optional<Askpass> askpass() {
        return Optional.empty();
    }

    /// What a job finds when it begins.
    ///
    /// @param environment the variables to set; with `inherit`, on top of the sandbox's own
    /// @param inherit whether the sandbox's own environment is the base, as it is for sandboxes that are not
    ///     this machine
    /// @param cwd the working folder; if absent, that of the sandbox
    record Surroundings(Map<String, String> environment, boolean inherit, Optional<String> cwd, Bounds bounds) {
        public Surroundings {
            environment = Map.copyOf(environment);
        }
    }

    /// A Python script, run as `python3 script.py` would run it.
    ///
    /// @param python the interpreter inside the sandbox; the relay's own if absent
    /// @param stubs the source of the module `hermes_tools`
    /// @param socket the socket for the script's tool calls: one of the host, or the relay's own if
    ///     absent
    /// @param live whether somebody watches the output while it runs
    record Script(
            String code,
            List<String> args,
            Optional<String> python,
            Stubs stubs,
            Optional<String> socket,
            Surroundings surroundings,
            boolean live)
            implements JobSpec {
        public Script {
            args = List.copyOf(args);
        }
    }

    /// A program, started without a shell.
    ///
    /// @param line the command line, if the program is a shell of the session: then a relay runs this
    ///     line instead of `argv`, with all state that survives between command lines
    record Program(List<String> argv, boolean stdin, Surroundings surroundings, Optional<Line> line)
            implements JobSpec {
        public Program {
            argv = List.copyOf(argv);
        }

        @Override
        public Optional<Askpass> askpass() {
            return line.flatMap(Line::askpass);
        }

        /// Returns a program in the sandbox's own environment and folder, without input and limits.
        public static Program of(List<String> argv) {
            Surroundings surroundings = new Surroundings(Map.of(), true, Optional.empty(), Bounds.none());
            return new Program(argv, false, surroundings, Optional.empty());
        }

        /// Returns the same program in a folder.
        public Program in(String folder) {
            Surroundings there = new Surroundings(environment(), inherit(), Optional.of(folder), bounds());
            return new Program(argv, stdin, there, line);
        }

        /// Returns the same program with a standard input that can be written.
        public Program withInput() {
            return new Program(argv, true, surroundings, line);
        }

        /// Returns the same program, whose command line may ask for sudo's password.
        public Program withAskpass(Askpass askpass) {
            return new Program(argv, stdin, surroundings, line.map(known -> known.withAskpass(askpass)));
        }

        /// Returns the same program with more variables, which later programs do not see.
        public Program withVariables(Map<String, String> own) {
            Map<String, String> all = new LinkedHashMap<>(environment());
            all.putAll(own);
            Surroundings more = new Surroundings(all, inherit(), cwd(), bounds());
            return new Program(argv, stdin, more, line.map(known -> known.withOwn(own)));
        }
    }

    /// A command line of a session.
    ///
    /// @param folder the folder that a session begins in; if absent, that of its sandbox
    /// @param workdir the folder for this command line only
    /// @param secrets parts of names of variables that are never kept
    /// @param own variables for this command line only
    /// @param askpass who gives sudo its password, if the command line may use sudo
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

        Line withOwn(Map<String, String> newOwn) {
            return new Line(command, folder, workdir, start, secrets, newOwn, askpass);
        }

        Line withAskpass(Askpass newAskpass) {
            return new Line(command, folder, workdir, start, secrets, own, Optional.of(newAskpass));
        }

        /// The state that a shell begins with.
        public enum Start {
            /// A login shell that runs nothing. Its state becomes the first state of the session.
            SNAPSHOT,
            /// The state of the session: the snapshot, with the changes of later command lines.
            RESTORED,
            /// A login shell, if there is no snapshot.
            LOGIN
        }
    }

    /// A program that is tracked: it may outlive the call that starts it, and its process id is
    /// reported.
    ///
    /// @param screen the size of its terminal, if it has a terminal instead of pipes
    /// @param apart whether its changes (folder, variables) are dropped; otherwise they become its
    ///     session's, until {@link Job#detach}
    record Background(Program program, Optional<Screen> screen, boolean apart) implements JobSpec {
        @Override
        public Surroundings surroundings() {
            return program.surroundings();
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

    /// The limits of a job; absent means unlimited.
    ///
    /// @param memory bytes of address space, per process
    /// @param processes processes at one time, including the first one
    record Bounds(Optional<Long> memory, Optional<Integer> processes) {
        public static Bounds none() {
            return new Bounds(Optional.empty(), Optional.empty());
        }
    }
}
