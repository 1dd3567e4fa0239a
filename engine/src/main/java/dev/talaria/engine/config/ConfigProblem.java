package dev.talaria.engine.config;

import java.util.Optional;

/// Something in the configuration that cannot be used. All of them are reported together.
///
/// @param origin the file and line, variable or option at fault
/// @param key the key it is about; absent if it is about a file as a whole
/// @param message what is wrong
/// @param fix what to do about it
public record ConfigProblem(Origin origin, Optional<String> key, String message, String fix) {

    /// Returns the whole problem on one line.
    public String text() {
        return origin.text() + ": " + key.map(name -> name + ": ").orElse("") + message + " " + fix;
    }
}
