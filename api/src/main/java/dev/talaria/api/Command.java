package dev.talaria.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A program to start in a sandbox, without a shell in between.
///
/// @param argv program and arguments; visible to every user of the machine, so never a secret
/// @param cwd working folder inside the sandbox
/// @param environment the whole environment, or empty for the sandbox's own
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

    public static Command of(List<String> argv) {
        return new Command(argv, Optional.empty(), Optional.empty());
    }
}
