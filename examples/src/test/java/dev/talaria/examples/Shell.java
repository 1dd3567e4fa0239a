package dev.talaria.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs commands in the repository's folder, with `./talaria` standing for this build's classes.
final class Shell {
    static final Path REPOSITORY = repository();

    private final Path work;

    /// @param work a folder for whatever is written, `$WORK` for the commands
    Shell(Path work) {
        this.work = work;
    }

    /// What a command left behind.
    record ShellResult(int exit, String out, String err) {}

    /// Runs a shell script as a reader would paste it.
    ShellResult paste(String commands) {
        return run(List.of("bash", "-euc", commands.replace("./talaria", "\"$TALARIA\"")));
    }

    ShellResult run(List<String> command) {
        try {
            Path err = work.resolve("stderr.txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(REPOSITORY.toFile())
                    .redirectError(err.toFile())
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("TALARIA_"));
            builder.environment().put("WORK", work.toString());
            builder.environment().put("TALARIA", launcher().toString());
            builder.environment().put("XDG_CONFIG_HOME", work.resolve("config").toString());
            builder.environment().put("XDG_STATE_HOME", work.resolve("state").toString());
            builder.environment().put("XDG_CACHE_HOME", work.resolve("cache").toString());
            Process process = builder.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("Did not end: " + command);
            }
            return new ShellResult(process.exitValue(), out, Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// The real launcher would build with Maven while Maven runs this test.
    private Path launcher() throws IOException {
        Path file = work.resolve("talaria");
        if (!Files.exists(file)) {
            Files.writeString(
                    file,
                    "#!/bin/sh\nexec '" + java() + "' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1"
                            + " -XX:+UseSerialGC -cp '"
                            + System.getProperty("java.class.path") + "' dev.talaria.cli.Main \"$@\"\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        }
        return file;
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath(); // Maven starts tests in the module's own
        return Files.exists(folder.resolve("dev/jdk.sh"))
                ? folder
                : folder.resolve("..").normalize();
    }
}
