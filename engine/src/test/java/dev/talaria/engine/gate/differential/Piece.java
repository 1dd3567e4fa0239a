package dev.talaria.engine.gate.differential;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A piece of shell text.
///
/// @param posix whether every shell understands it
record Piece(Kind kind, String text, boolean posix) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 _./=:@%+-]+");
    private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9]+");
    private static final Pattern BASH_ONLY = Pattern.compile("&>|>&|pushd|<\\(|CDPATH|printf -v|\\{d}");

    static Piece leaf(Kind kind, String text) {
        return new Piece(kind, text, !BASH_ONLY.matcher(text).find());
    }

    /// Returns whether it needs no quotes, escapes or expansion anywhere.
    boolean plain() {
        return PLAIN.matcher(text).matches() && !text.contains("  ");
    }

    boolean oneLine() {
        return text.indexOf('\n') < 0;
    }

    /// Returns the words, if they can be told apart by their blanks.
    Optional<List<String>> words() {
        boolean simple = oneLine() && text.chars().noneMatch(c -> "'\"`$\\;&|<>(){}*?[#".indexOf(c) >= 0);
        return simple && kind == Kind.ARGV ? Optional.of(List.of(text.split(" ", -1))) : Optional.empty();
    }

    /// Returns the program's name, if it is written as it is.
    Optional<String> program() {
        int blank = text.indexOf(' ');
        String first = blank < 0 ? text : text.substring(0, blank);
        return kind == Kind.ARGV && WORD.matcher(first).matches() ? Optional.of(first) : Optional.empty();
    }

    /// Returns this as something that can stand where `place` is wanted.
    Piece as(Kind place) {
        if (kind.fits(place)) {
            return this;
        }
        return switch (place) {
            case ARGV -> new Piece(Kind.ARGV, "bash -c " + Quoting.single(text), true);
            case CALL, SIMPLE -> new Piece(Kind.CALL, "eval " + Quoting.single(text), posix);
            case COMMAND, LINE, TEXT ->
                new Piece(Kind.COMMAND, "{ " + text + (kind == Kind.TEXT ? "\n}" : "; }"), posix);
        };
    }
}
