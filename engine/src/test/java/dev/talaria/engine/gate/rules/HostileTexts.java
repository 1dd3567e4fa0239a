package dev.talaria.engine.gate.rules;

import java.util.List;

/// Long lines made to keep a reader or a pattern busy.
final class HostileTexts {
    private HostileTexts() {}

    static List<String> all(int length) {
        return PatternTable.lines("hostile.txt").stream()
                .map(piece -> piece.replace('␠', ' '))
                .map(piece -> piece.repeat(length / piece.length()))
                .toList();
    }
}
