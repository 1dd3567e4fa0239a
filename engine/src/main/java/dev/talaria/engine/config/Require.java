package dev.talaria.engine.config;

import java.time.Duration;

/// Checks the values of settings in their constructors. Messages name the key as it is written in `talaria.yaml`.
final class Require {
    private Require() {}

    static void between(ConfigKey<?> key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    key + " is " + value + ". Use a number from " + least + " to " + most + ".");
        }
    }

    static void atLeast(ConfigKey<?> key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ". Use at least " + least + ".");
        }
    }

    static void positive(ConfigKey<?> key, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(key + " is " + value.toSeconds() + "s. Use a time above zero.");
        }
    }
}
