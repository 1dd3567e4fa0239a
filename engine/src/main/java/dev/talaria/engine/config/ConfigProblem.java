package dev.talaria.engine.config;

import java.util.Optional;

/// Something in the configuration that cannot be used. All problems are reported together.
///
/// @param origin the file and line, variable or option at fault
/// @param key the key with the problem; absent if the whole file has it
/// @param message what is wrong
/// @param fix what to do about it
public record ConfigProblem(Origin origin, Optional<String> key, String message, String fix) {

    /// Returns the whole problem on one line.
    public String text() {
        return origin.text() + ": " + key.map(name -> name + ": ").orElse("") + message + " " + fix;
    }
}
