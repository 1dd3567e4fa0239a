package dev.talaria.testkit;

import dev.talaria.engine.util.Json;

/// Pieces of Python source.
final class Python {
    private Python() {}

    /// Returns a string literal: JSON's are Python's, too.
    static String text(String value) {
        return Json.text(value);
    }
}
