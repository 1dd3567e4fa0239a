package dev.talaria.engine.gate.reading;

import java.util.List;

/// Writes commands in the form that rules are matched on: one line each, with a blank between words
/// and nowhere else.
final class CommandLines {
    private final Findings findings;
    private final HomeFolder home;
    private final Expander expander;

    CommandLines(Findings findings, HomeFolder home, Expander expander) {
        this.findings = findings;
        this.home = home;
        this.expander = expander;
    }

    /// Returns a word in the form that rules are matched on.
    String word(String word) {
        String known = Paths.clean(findings.marks.show(
                expander.way(word).replace(ShellContext.START, ".").replace(ShellContext.TYPED, "$(stdin)")));
        String shown = home.shown(known);
        if (shown.isEmpty()) {
            return "''"; // an empty word is a word, too
        }
        if (plain(shown)) {
            return shown;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            out.append(
                    switch (c) {
                        case ' ', '\t', '\n' -> '␣';
                        case '>' -> i == 0 && shown.endsWith(")") ? c : '›';
                        case '<' -> i == 0 && shown.endsWith(")") ? c : '‹';
                        case '|' -> '¦';
                        default -> c;
                    });
        }
        return out.toString();
    }

    private static boolean plain(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (" \t\n<>|".indexOf(word.charAt(i)) >= 0) {
                return false;
            }
        }
        return true;
    }

    /// Returns a command in the form that rules are matched on: its program's name, then its words.
    String command(List<String> words) {
        StringBuilder line = new StringBuilder(
                word(Programs.name(findings.marks.show(findings.marks.withoutUnset(words.getFirst())))));
        for (String word : words.subList(1, words.size())) {
            line.append(' ').append(word(word));
        }
        return line.toString();
    }
}
