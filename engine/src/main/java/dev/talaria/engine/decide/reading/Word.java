package dev.talaria.engine.decide.reading;

import java.util.Optional;

/// One word of a command, without its quotes.
///
/// @param text what the program would be given; `$(name)` stands for the output of another command
/// @param syntax whether it is a sign of the shell's, such as `>`, and not a word that looks like one
/// @param content what a file holds that `<(...)` makes, where that can be told
record Word(String text, boolean syntax, Optional<String> content) {

    Word(String text, boolean syntax) {
        this(text, syntax, Optional.empty());
    }

    static Word of(String text) {
        return new Word(text, false);
    }

    /// Returns whether it is `<(...)` or `>(...)`: an argument, although it is written with signs.
    boolean substituted() {
        return syntax && text.endsWith(")");
    }

    /// Writes the word so that nothing in it can be taken for a blank or a sign of the shell's.
    void show(StringBuilder line) {
        if (syntax) {
            line.append(text);
            return;
        }
        if (text.isEmpty()) {
            line.append("''"); // a word all the same
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(
                    switch (c) {
                        case ' ', '\t', '\n' -> '␣';
                        case '>' -> '›';
                        case '<' -> '‹';
                        case '|' -> '¦';
                        default -> c;
                    });
        }
    }
}
