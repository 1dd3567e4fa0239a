package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import dev.talaria.engine.gate.reading.UnknownValues.Kind;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Changes values as the operators of `${name...}` do: `${name#pattern}`, `${name/a/b}`, `${name^^}`.
final class ValueChanges {
    private static final Pattern EXTENDED = Pattern.compile("[@!?*+]\\(");

    private final Evaluator evaluator;
    private final Findings findings;
    private final Expander expander;

    ValueChanges(Evaluator evaluator, Expander expander) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.expander = expander;
    }

    /// Returns a value after the operator of a parameter.
    String of(Part.Parameter parameter, String given, State state) {
        String text = evaluator.surroundings.folderOf(given);
        String operator = parameter.operator();
        String operand = operator.equals(":") || operator.equals("@")
                ? expander.text(parameter.operand(), state)
                : expander.pattern(parameter.operand(), state);
        String second =
                parameter.second().map(word -> expander.text(word, state)).orElse("");
        if (text.length() == 1 && findings.marks.has(text, Kind.UNSET)) {
            return text;
        }
        if (UnknownValues.any(text) || UnknownValues.any(operand) || UnknownValues.any(second)) {
            return unknown(text + operand + second, operator);
        }
        boolean pattern = !operator.equals(":") && !operator.equals("@");
        boolean odd =
                !Globs.plain(operand) || EXTENDED.matcher(operand).find() || state.options.contains("nocasematch");
        if (pattern && odd) {
            return UnknownValues.MADE;
        }
        return switch (operator) {
            case "#", "##" -> withoutBeginning(text, operand, operator.length() > 1);
            case "%", "%%" -> withoutEnd(text, operand, operator.length() > 1);
            case "/", "//", "/#", "/%" -> replaced(text, operand, second, operator);
            case "^", "^^", ",", ",," ->
                operand.isEmpty() && PlainText.ascii(text) ? cased(text, operator) : UnknownValues.MADE;
            case ":" ->
                !PlainText.ascii(text)
                        ? UnknownValues.MADE
                        : part(text, operand, parameter.second().map(_ -> second), state);
            case "@" -> transformed(text, operand);
            default -> UnknownValues.MADE;
        };
    }

    private static String cased(String text, String operator) {
        int end = operator.length() > 1 ? text.length() : Math.min(1, text.length());
        String first = text.substring(0, end);
        return (operator.startsWith("^") ? first.toUpperCase(Locale.ROOT) : first.toLowerCase(Locale.ROOT))
                + text.substring(end);
    }

    /// Returns the mark for a changed unknown value. A piece that is cut out of it may be exactly
    /// what somebody wanted.
    private String unknown(String texts, String operator) {
        boolean cut =
                operator.equals(":") || operator.equals("@") || operator.startsWith("^") || operator.startsWith(",");
        return cut || findings.marks.made(texts) ? UnknownValues.MADE : UnknownValues.ORDINARY;
    }

    private String transformed(String text, String letter) {
        if (letter.equals("P")) {
            findings.unknown("It expands a text as a prompt, which may run commands.");
            return text;
        }
        if (!text.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            return UnknownValues.MADE;
        }
        return switch (letter) {
            case "U" -> cased(text, "^^");
            case "u" -> cased(text, "^");
            case "L" -> cased(text, ",,");
            case "E" -> AnsiQuotes.decode(text);
            case "Q" -> "'" + text.replace("'", "'\\''") + "'";
            default -> UnknownValues.MADE;
        };
    }

    private String part(String text, String from, Optional<String> length, State state) {
        String start = expander.formula(ShellWord.of(from), state);
        String count =
                length.map(one -> expander.formula(ShellWord.of(one), state)).orElse("");
        if (!start.strip().matches("-?\\d{1,6}") || !count.strip().matches("-?\\d{0,6}")) {
            return UnknownValues.MADE;
        }
        int begin = Integer.parseInt(start.strip());
        int first = Math.clamp(begin < 0 ? text.length() + begin : begin, 0, text.length());
        int many = count.isBlank() ? text.length() : Integer.parseInt(count.strip());
        int last = Math.clamp(many < 0 ? text.length() + many : (long) first + many, first, text.length());
        return begin < 0 && -begin > text.length() ? "" : text.substring(first, last);
    }

    private static String withoutBeginning(String text, String glob, boolean longest) {
        Pattern pattern = Globs.pattern(glob);
        for (int i = 0; i <= text.length(); i++) {
            int end = longest ? text.length() - i : i;
            if (pattern.matcher(text.substring(0, end)).matches()) {
                return text.substring(end);
            }
        }
        return text;
    }

    private static String withoutEnd(String text, String glob, boolean longest) {
        Pattern pattern = Globs.pattern(glob);
        for (int i = 0; i <= text.length(); i++) {
            int start = longest ? i : text.length() - i;
            if (pattern.matcher(text.substring(start)).matches()) {
                return text.substring(0, start);
            }
        }
        return text;
    }

    private static String replaced(String text, String glob, String by, String operator) {
        String anchored = operator.equals("/#") ? "\\A" : "";
        String end = operator.equals("/%") ? "\\z" : "";
        Optional<Pattern> pattern = Globs.compiled(anchored + "(?:" + Globs.regex(glob, true) + ")" + end);
        if (pattern.isEmpty()) {
            return UnknownValues.MADE;
        }
        // In the replacement, `&` stands for the replaced text. A pattern that matches an empty text
        // matches in odd places.
        if (by.indexOf('&') >= 0
                || (!glob.isEmpty() && pattern.get().matcher("").find())) {
            return UnknownValues.MADE;
        }
        Matcher matcher = pattern.get().matcher(text);
        String quoted = Matcher.quoteReplacement(by);
        if (glob.isEmpty()) {
            return operator.equals("/#") ? by + text : operator.equals("/%") ? text + by : text;
        }
        return operator.equals("//") ? matcher.replaceAll(quoted) : matcher.replaceFirst(quoted);
    }
}
