package dev.talaria.engine.gate.differential;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A place where bash really runs commands and nothing can come to harm: a bubblewrap sandbox without network
/// whose files are read-only, with a small home folder in memory. Programs that do harm only note that they
/// were called.
///
/// One process in the box runs all commands, each in a fresh home folder.
final class Box implements AutoCloseable {
    private static final Set<String> LEAVES =
            Set.of("rm", "git", "find", "chmod", "dd", "tee", "npm", "systemctl", "truncate");
    private static final List<String> STUBS = List.of(
            "sudo",
            "doas",
            "pkexec",
            "unshare",
            "nsenter",
            "setpriv",
            "chroot",
            "systemd-run",
            "strace",
            "runuser",
            "su",
            "sg",
            "newgrp",
            "parallel",
            "busybox");
    private static final List<String> SHELLS = List.of("zsh", "ksh", "mksh", "csh", "tcsh");
    private static final String PATH = "/opt/box:/usr/bin:/bin:/usr/sbin";
    private static final String LIMIT = "5"; // seconds for a command; nearly all end at once
    private static final String PYTHON = "/usr/bin/python3";

    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private Box(Process process) {
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.US_ASCII);
        this.out = process.inputReader(StandardCharsets.US_ASCII);
    }

    /// Returns why there can be no box here, if so.
    static Optional<String> missing(Path folder, Path home) {
        Optional<String> program = Stream.of("/usr/bin/bwrap", PYTHON, "/bin/bash")
                .filter(path -> !Files.isExecutable(Path.of(path)))
                .findFirst();
        if (program.isPresent()) {
            return program.map(path -> "there is no " + path);
        }
        try (Box box = open(folder, home)) {
            return box.run("rm -rf build").reached()
                    ? Optional.empty()
                    : Optional.of("bubblewrap cannot run commands here");
        } catch (IOException | UncheckedIOException e) {
            return Optional.of("bubblewrap does not start: " + e.getMessage() + ": " + log(folder));
        }
    }

    private static String log(Path folder) {
        try {
            return Files.readString(folder.resolve("box.log")).strip();
        } catch (IOException e) {
            return "it said nothing";
        }
    }

    /// Opens a box.
    ///
    /// @param folder for files of its own
    /// @param home the path that the home folder has in it
    static Box open(Path folder, Path home) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(arguments(folder, home));
        builder.redirectError(folder.resolve("box.log").toFile());
        return new Box(builder.start());
    }

    private static List<String> arguments(Path folder, Path home) throws IOException {
        List<String> words = new ArrayList<>(List.of("/usr/bin/bwrap"));
        words.addAll(List.of("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"));
        words.addAll(List.of("--as-pid-1", "--die-with-parent", "--new-session", "--clearenv"));
        words.addAll(List.of("--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"));
        for (String name : List.of("bin", "sbin", "lib", "lib64")) {
            Path path = Path.of("/", name);
            if (Files.isSymbolicLink(path)) {
                words.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
            } else if (Files.isDirectory(path)) {
                words.addAll(List.of("--ro-bind", path.toString(), path.toString()));
            }
        }
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run", "--tmpfs", "/tmp"));
        words.addAll(List.of("--tmpfs", home.toString()));
        words.addAll(List.of("--ro-bind", programs(folder).toString(), "/opt/box"));
        for (String name : LEAVES) {
            for (Path real : real(name)) {
                words.addAll(List.of("--ro-bind", real.toString(), "/run/real/" + name));
                words.addAll(List.of(
                        "--ro-bind", folder.resolve("programs").resolve(name).toString(), real.toString()));
            }
        }
        Path driver = Files.writeString(folder.resolve("driver.py"), Grammar.text("driver.py"));
        words.addAll(List.of("--ro-bind", driver.toString(), "/opt/driver.py", "--remount-ro", "/"));
        words.addAll(List.of("--setenv", "HOME", home.toString(), "--setenv", "PATH", PATH));
        words.addAll(List.of("--setenv", "HISTFILE", "/dev/null")); // an interactive shell writes one of its own accord
        words.addAll(List.of("--setenv", "SHELL", "/bin/bash", "--setenv", "USER", "me", "--setenv", "TERM", "dumb"));
        words.addAll(List.of("--setenv", "LANG", "C.UTF-8", "--chdir", "/", PYTHON, "/opt/driver.py", LIMIT));
        return words;
    }

    /// Returns where a program really is on this machine.
    private static List<Path> real(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String folder : List.of("/usr/bin", "/bin", "/usr/sbin", "/usr/lib/git-core")) {
            Path path = Path.of(folder, name);
            if (Files.isExecutable(path) && !found.contains(path.toRealPath())) {
                found.add(path.toRealPath());
            }
        }
        return found;
    }

    private static Path programs(Path folder) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        String logger = Grammar.text("logger.sh");
        for (String name : LEAVES) {
            program(programs, name, logger.replace("MARK", "\u001e").replace("PROGRAM", name));
        }
        String stub = Grammar.text("stub.sh");
        for (String name : STUBS) {
            program(programs, name, stub);
        }
        for (String name : SHELLS) {
            if (!Files.isExecutable(Path.of("/usr/bin", name)) && !Files.isExecutable(Path.of("/bin", name))) {
                program(programs, name, stub);
            }
        }
        return programs;
    }

    private static void program(Path folder, String name, String text) throws IOException {
        Path path = folder.resolve(name);
        if (!Files.exists(path)) {
            Files.writeString(path, text);
            if (!path.toFile().setExecutable(true, false)) {
                throw new IOException("'" + path + "' cannot be made executable.");
            }
        }
    }

    Outcome run(String command) {
        try {
            in.write(Base64.getEncoder().encodeToString(command.getBytes(StandardCharsets.UTF_8)) + "\n");
            in.flush();
            String line = out.readLine();
            if (line == null) {
                throw new IOException("the box ended");
            }
            return Outcome.of(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
