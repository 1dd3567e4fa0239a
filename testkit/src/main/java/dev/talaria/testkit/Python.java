package dev.talaria.testkit;

import dev.talaria.engine.json.Json;

/// Writes pieces of Python source.
final class Python {
    private Python() {}

    /// Returns a string literal. Those of JSON are valid in Python, too.
    static String text(String value) {
        return Json.text(value);
    }
}
