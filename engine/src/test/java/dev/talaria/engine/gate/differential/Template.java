package dev.talaria.engine.gate.differential;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text of a construction. In it stand
///
/// - `«c»` for the command, `«c.»` and `«c;»` for the same where it may need a newline or a semicolon behind it
/// - `«0»`, `«rest»`, `«init»`, `«last»` for some of its words
/// - `«v»`, `«u»`, `«V»`, `«U»` for variables, `«f»` for a function, `«x»`, `«y»` for files, `«E»` for the end of a
///   here-document
/// - `«c:q:q»` for a text that filters of [Quoting] went over, from left to right
/// - `⟦TEXT⟧` for a text in single quotes, `⏎` for a newline, `⇥` for a tab
record Template(String text) {
    private static final Pattern PLACEHOLDER = Pattern.compile("«([^»]*)»");
    private static final Pattern QUOTED = Pattern.compile("⟦([^⟧]*)⟧");
    private static final Pattern RAW = Pattern.compile("«(?:c[.;]?|0|rest|init|last)»");

    Template {
        text = text.replace('⏎', '\n').replace('⇥', '\t');
    }

    /// Returns whether the command stands in it only as a text for something else.
    boolean quotes() {
        return !RAW.matcher(text).find();
    }

    boolean endsWithCommand() {
        return text.endsWith("«c.»");
    }

    Optional<String> fill(Piece piece, Names names) {
        boolean words =
                text.contains("«0") || text.contains("«rest") || text.contains("«last") || text.contains("«init");
        int least = text.contains("«rest") || text.contains("«last") ? 2 : 1;
        if (words && piece.words().filter(all -> all.size() >= least).isEmpty()) {
            return Optional.empty();
        }
        String quoted = QUOTED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(Quoting.single(fill(found.group(1), piece, names))));
        return Optional.of(fill(quoted, piece, names));
    }

    private static String fill(String text, Piece piece, Names names) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found, piece, names)));
    }

    private static String value(MatchResult found, Piece piece, Names names) {
        List<String> parts = List.of(found.group(1).split(":", -1));
        String value = base(parts.getFirst(), piece, names);
        for (String filter : parts.subList(1, parts.size())) {
            value = Quoting.apply(filter, value);
        }
        return value;
    }

    private static String base(String name, Piece piece, Names names) {
        boolean open = piece.kind() == Kind.TEXT && !piece.text().endsWith("\n");
        return switch (name) {
            case "c" -> piece.text();
            case "c." -> piece.text() + (open ? "\n" : "");
            case "c;" -> piece.text() + (piece.kind() == Kind.TEXT ? (open ? "\n" : "") : ";");
            case "0" -> words(piece, 0, 1);
            case "rest" -> words(piece, 1, 0);
            case "init" -> words(piece, 0, -1);
            case "last" -> words(piece, -1, 0);
            default -> names.of(name);
        };
    }

    /// Returns the words from one to before another, which both may count from the end.
    private static String words(Piece piece, int from, int to) {
        List<String> words = piece.words().orElseThrow();
        int first = from < 0 ? words.size() + from : from;
        int end = to <= 0 ? words.size() + to : to;
        return String.join(" ", words.subList(first, end));
    }
}
