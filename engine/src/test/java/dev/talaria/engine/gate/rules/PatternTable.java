package dev.talaria.engine.gate.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Commands for tests, from the resources next to this class.
final class PatternTable {
    private PatternTable() {}

    /// @param matches whether the rule must match, or must not
    record Case(String key, boolean matches, String command) {}

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        String key = "";
        for (String line : lines("patterns.txt")) {
            if (line.startsWith("[")) {
                key = line.substring(1, line.length() - 1);
            } else {
                cases.add(new Case(key, line.startsWith("+ "), line.substring(2)));
            }
        }
        return cases;
    }

    /// Returns the lines of a resource, without comments.
    static List<String> lines(String resource) {
        try (InputStream in = PatternTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("There is no " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("# "))
                    .map(line -> line.replace('⏎', '\n')
                            .replace('␛', '\033')
                            .replace('␍', '\r')
                            .replace('␟', '\u200b')
                            .replace('␞', '\u202e')
                            .replace('␝', '\ufeff'))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
