package dev.talaria.cli;

import dev.talaria.engine.config.Folders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Runs commands in this JVM, with their own folders and environment.
final class InProcess {
    private final Map<String, String> environment = new HashMap<>();
    private InputStream stdin = InputStream.nullInputStream();

    InProcess(Path folder) {
        environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    InProcess with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    InProcess stdin(String text) {
        return stdin(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    InProcess stdin(InputStream stream) {
        stdin = stream;
        return this;
    }

    /// Returns the folders of the commands.
    Folders folders() {
        return Folders.of(environment);
    }

    /// The exit code and the output of a command.
    record CliResult(int exit, String out, String err) {}

    CliResult run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = Main.execute(
                Console.piped(
                        stdin,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment),
                args);
        return new CliResult(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// Runs a script from stdin.
    CliResult script(String code, String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "run";
        System.arraycopy(options, 0, args, 1, options.length);
        return stdin(code).run(args);
    }
}
