package dev.talaria.engine.gate.differential;

/// What a piece of shell text is, and so where it can stand. Each is one of the next, too.
enum Kind {
    /// Words that a program can be given to run.
    ARGV('A'),
    /// Words whose first may be a builtin, with redirections behind them.
    CALL('W'),
    /// A call with assignments or redirections before it.
    SIMPLE('S'),
    /// Something that can be a part of a pipeline.
    COMMAND('C'),
    /// A list that a semicolon can stand behind.
    LINE('L'),
    /// Any text, which may need a newline behind it.
    TEXT('T');

    private final char letter;

    Kind(char letter) {
        this.letter = letter;
    }

    static Kind of(char letter) {
        for (Kind kind : values()) {
            if (kind.letter == letter) {
                return kind;
            }
        }
        throw new IllegalArgumentException("There is no kind '" + letter + "'.");
    }

    boolean fits(Kind place) {
        return compareTo(place) <= 0;
    }
}
