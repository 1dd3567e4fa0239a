package dev.talaria.backends.process;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.SandboxException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A process of this machine in a session of its own: a local command, or the client of a sandbox
/// elsewhere.
public final class LocalProcess implements RunningProcess {
    /// `setsid` becomes the program itself, so the process id stays and is also the session's id.
    /// Without `setsid`, a shell at least searches the program in the same way and gives the same
    /// exit codes.
    private static final List<String> STARTER = Stream.of("/usr/bin/setsid", "/bin/setsid")
            .filter(path -> Files.isExecutable(Path.of(path)))
            .findFirst()
            .map(path -> List.of(path, "--"))
            .orElseGet(() -> List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));

    /// Variables for Talaria only: it gives their values to sudo, and to nobody else.
    private static final Set<String> NOT_PASSED_ON = Set.of("SUDO_PASSWORD", "TALARIA_SUDO_PASSWORD");

    private static final Charset OF_THE_SYSTEM = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Process process;
    private final ProcessTree tree;

    private LocalProcess(Process process) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle());
    }

    /// Starts a program.
    ///
    /// @param command without a folder or an environment, it gets this JVM's
    public static LocalProcess start(Command command) {
        requireLocaleFor(command);
        ProcessBuilder builder = new ProcessBuilder(ShellWords.joined(STARTER, command.argv()));
        command.cwd().ifPresent(folder -> builder.directory(existing(folder).toFile()));
        try {
            command.environment().ifPresent(variables -> {
                builder.environment().clear();
                builder.environment().putAll(variables);
            });
            builder.environment().keySet().removeAll(NOT_PASSED_ON);
            return new LocalProcess(builder.start());
        } catch (IllegalArgumentException e) {
            throw new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A variable of the environment cannot be set: " + e.getMessage() + ". Its name may hold no '='"
                            + " and neither name nor value a NUL.",
                    e);
        } catch (IOException e) {
            throw notStarted(command.argv(), e);
        }
    }

    /// Refuses letters beyond ASCII in a locale such as C: there a JVM passes on '?' for each of
    /// them, without a warning.
    private static void requireLocaleFor(Command command) {
        if (StandardCharsets.UTF_8.equals(OF_THE_SYSTEM)) {
            return;
        }
        CharsetEncoder encoder = OF_THE_SYSTEM.newEncoder();
        Stream<String> variables = command.environment().stream()
                .flatMap(map -> Stream.concat(map.keySet().stream(), map.values().stream()));
        Stream.concat(Stream.concat(command.argv().stream(), command.cwd().stream()), variables)
                .filter(text -> !encoder.canEncode(text))
                .findFirst()
                .ifPresent(_ -> {
                    throw new SandboxException(
                            ErrorCode.INVALID_ARGUMENT,
                            "This Java runs in a locale that knows " + OF_THE_SYSTEM + " only, and the command for "
                                    + command.argv().getFirst() + " needs more. Start it with LC_ALL=C.UTF-8.");
                });
    }

    private static Path existing(String folder) {
        if (folder.indexOf('\0') >= 0 || !Files.isDirectory(Path.of(folder))) {
            throw new SandboxException(
                    ErrorCode.FILE_NOT_FOUND,
                    "There is no folder " + folder.replace('\0', '?')
                            + " to work in. Create it or choose another one.");
        }
        return Path.of(folder);
    }

    private static SandboxException notStarted(List<String> argv, IOException e) {
        String program = argv.getFirst();
        if (argv.stream().anyMatch(argument -> argument.indexOf('\0') >= 0)) {
            return new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    "An argument of " + program + " holds a NUL. Send such data by stdin.",
                    e);
        }
        return new SandboxException(
                ErrorCode.BACKEND_UNAVAILABLE,
                "This machine could not start " + program + ": " + Reason.of(e)
                        + ". Shorten the arguments if they are too long; end other programs if there are too many.",
                e);
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
        return process.waitFor(limit) ? Optional.of(process.exitValue()) : Optional.empty();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /// Runs the action when this process has ended.
    public void whenEnded(Runnable then) {
        var _ = process.onExit().thenRun(then);
    }

    @Override
    public void kill() {
        tree.kill();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
        closeQuietly(process.getOutputStream());
        closeQuietly(process.getInputStream());
        closeQuietly(process.getErrorStream());
    }

    private static void closeQuietly(Closeable stream) {
        try {
            stream.close();
        } catch (IOException e) {
            // The other end of the pipe has gone; there is nothing left to lose.
        }
    }
}
