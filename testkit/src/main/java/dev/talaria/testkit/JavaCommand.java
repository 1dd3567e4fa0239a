package dev.talaria.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Starts another JVM with this one's class path.
public final class JavaCommand {
    private JavaCommand() {}

    /// Returns the command line that runs a main class with these arguments.
    public static List<String> of(String classPath, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        Optional.ofNullable(System.getProperty("logback.configurationFile"))
                .ifPresent(file -> command.add("-Dlogback.configurationFile=" + file));
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Returns a process that keeps its files below `home` and works in `work`.
    public static ProcessBuilder in(Path home, Path work, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("XDG_CONFIG_HOME", home.resolve("config").toString());
        environment.put("XDG_STATE_HOME", home.resolve("state").toString());
        environment.put("XDG_CACHE_HOME", home.resolve("cache").toString());
        environment.keySet().removeIf(name -> name.startsWith("TERMINAL_") || name.startsWith("TALARIA_"));
        return builder;
    }

    /// Returns the class path of this JVM. Surefire hides it in a jar of its own and stores it in a
    /// property.
    public static String classPath() {
        return Optional.ofNullable(System.getProperty("surefire.test.class.path"))
                .or(() -> Optional.ofNullable(System.getProperty("surefire.real.class.path")))
                .orElseGet(() -> System.getProperty("java.class.path"));
    }

    /// Copies the class path to a folder that every user can read.
    public static String copied(Path folder) throws IOException {
        Path target = Files.createDirectories(folder.resolve("class-path"));
        List<String> entries = new ArrayList<>();
        for (String entry : classPath().split(":", -1)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path copy = target.resolve(entries.size() + "-" + source.getFileName());
                copyTree(source, copy);
                entries.add(copy.toString());
            }
        }
        return String.join(":", entries);
    }

    private static void copyTree(Path source, Path copy) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                Path made = Files.createDirectories(
                        copy.resolve(source.relativize(dir).toString()));
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path made = source.equals(file)
                        ? copy
                        : copy.resolve(source.relativize(file).toString());
                Files.copy(file, made);
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-r--r--"));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
