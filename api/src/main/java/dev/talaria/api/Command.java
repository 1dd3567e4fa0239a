package dev.talaria.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A program to start in a sandbox, without a shell in between.
///
/// ```java
/// Command list = new Command(List.of("ls", "-l"), Optional.of("/tmp"), Optional.empty());
/// try (Sandbox sandbox = Backends.find("local").orElseThrow().open(SandboxSpec.empty());
///         RunningProcess process = sandbox.start(list)) {
///     System.out.println(new String(process.stdout().readAllBytes()));
/// }
/// ```
///
/// @param argv the program and its arguments; every user of the machine can see them, so they hold no secrets
/// @param cwd the working folder inside the sandbox; absent means the sandbox's own
/// @param environment the whole environment; absent means the sandbox's own
public record Command(List<String> argv, Optional<String> cwd, Optional<Map<String, String>> environment) {
    public Command {
        argv = List.copyOf(argv);
        environment = environment.map(Map::copyOf);
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("A command needs a program.");
        }
    }

    /// Returns a command with these words, in the sandbox's own folder and environment.
    public static Command of(String... argv) {
        return of(List.of(argv));
    }

    /// Returns a command with these words, in the sandbox's own folder and environment.
    public static Command of(List<String> argv) {
        return new Command(argv, Optional.empty(), Optional.empty());
    }
}
