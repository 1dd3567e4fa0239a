package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Optional;

/// A word of a shell program, before anything in it is expanded.
record ShellWord(List<Part> parts) {
    static final ShellWord EMPTY = new ShellWord(List.of());

    static ShellWord of(String text) {
        return new ShellWord(List.of(new Part.Text(text, true)));
    }

    /// Returns the text if nothing in it is quoted or expanded. Only such a word can be a reserved
    /// word.
    Optional<String> bare() {
        return parts.size() == 1 && parts.getFirst() instanceof Part.Text(String text, boolean quoted) && !quoted
                ? Optional.of(text)
                : Optional.empty();
    }

    /// Returns the text if nothing in it is expanded.
    Optional<String> literal() {
        if (parts.size() == 1) { // nearly always
            return parts.getFirst() instanceof Part.Text(String text, boolean _) ? Optional.of(text) : Optional.empty();
        }
        StringBuilder all = new StringBuilder();
        for (Part part : parts) {
            if (!(part instanceof Part.Text(String text, boolean _))) {
                return Optional.empty();
            }
            all.append(text);
        }
        return Optional.of(all.toString());
    }

    /// Returns whether the shell may replace the word by names of files.
    boolean wild() {
        for (Part part : parts) {
            boolean wild = switch (part) {
                case Part.Text(String text, boolean quoted) -> !quoted && Globs.wild(text);
                case Part.Parameter parameter -> !parameter.quoted();
                case Part.Substitution(Node _, boolean quoted) -> !quoted;
                case Part.ProcessFile _, Part.Formula _ -> false;
            };
            if (wild) {
                return true;
            }
        }
        return false;
    }

    boolean quoted() {
        return parts.stream().anyMatch(part -> part instanceof Part.Text text && text.quoted());
    }

    /// A part of a word.
    sealed interface Part {
        record Text(String text, boolean quoted) implements Part {}

        /// `$name`, `${name}` and `${name OPERATOR operand}`.
        ///
        /// @param prefix `!` (the variable that the value names), `#` (the value's length) or nothing
        /// @param subscript the text in brackets
        /// @param second the replacement in `${name/operand/second}`, or the length in
        ///     `${name:operand:second}`
        record Parameter(
                String name,
                String prefix,
                Optional<ShellWord> subscript,
                String operator,
                ShellWord operand,
                Optional<ShellWord> second,
                boolean quoted)
                implements Part {}

        /// `$(...)` and backticks.
        record Substitution(Node body, boolean quoted) implements Part {}

        /// `<(...)` and `>(...)`.
        record ProcessFile(Node body, boolean reads) implements Part {}

        /// `$((...))`
        record Formula(ShellWord formula, boolean quoted) implements Part {}
    }
}
