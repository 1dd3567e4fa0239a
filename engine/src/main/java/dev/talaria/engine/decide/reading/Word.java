package dev.talaria.engine.decide.reading;

/// One word of a command, without its quotes.
///
/// @param text what the program would be given; `$(name)` stands for the output of another command
/// @param syntax whether it is a sign of the shell's, such as `>`, and not a word that looks like one
record Word(String text, boolean syntax) {

    static Word of(String text) {
        return new Word(text, false);
    }

    /// Writes the word so that nothing in it can be taken for a blank or a sign of the shell's.
    void show(StringBuilder line) {
        if (syntax) {
            line.append(text);
            return;
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
