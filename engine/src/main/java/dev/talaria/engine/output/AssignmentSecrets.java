package dev.talaria.engine.output;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Masks values whose names mark them as secrets (passes 4 to 9): `NAME=…`, config keys, JSON, Python
/// and YAML fields.
///
/// Source code has many such names with harmless values, so these passes are for secret-bearing text
/// only. They work line by line: a URL in one line does not stop them in the next.
final class AssignmentSecrets {

    private static final int LONGEST_KEY = 120;
    private static final Pattern UPPER = Pattern.compile("[A-Z0-9_]+");
    private static final Pattern LOWER_TAIL =
            Pattern.compile(".*_(?:key|pass|pw|token|secret|password|passwd|credential|auth)s?+");
    private static final Pattern LINE_START =
            Pattern.compile("(?:\\s{0,8}+\\d{1,7}+(?:[|:-]|\\t))?\\s{0,200}+(?:export\\s{1,8}+)?");
    private static final Pattern JSON_FIELD =
            Pattern.compile("(\\\\{0,7}+)\"([A-Za-z_]{5,14}+)\\1\"\\s{0,8}+:\\s{0,8}+\\1\"", Pattern.CASE_INSENSITIVE);
    private static final Pattern PYTHON_FIELD =
            Pattern.compile("'([A-Za-z_-]{3,40}+)'\\s{0,8}+:\\s{0,8}+'((?:[^'\\\\\\n]|\\\\.){1,16384}+)'");
    private static final Pattern YAML_FIELD = Pattern.compile(
            "(?:\\s{0,8}+\\d{1,7}+(?:[|:-]|\\t))?\\s{0,200}+(?:-\\s{1,8}+)?([A-Za-z0-9_.-]{2,120}+)\\s{0,4}+:"
                    + "\\s{1,40}+([^\\s\"'#&*|>{\\[]\\S{0,16384}+)\\s{0,200}+");

    private AssignmentSecrets() {}

    static boolean mayOccur(String line) {
        return line.indexOf('=') >= 0 || line.indexOf(':') >= 0;
    }

    static String mask(String line, Redactor.Mode mode) {
        String text = equalSigns(line, mode);
        text = jsonFields(text, mode);
        text = pythonFields(text);
        return yamlField(text, mode);
    }

    /// Masks `'key': '…'` fields, as they appear in assertion messages and exceptions (pass 8).
    static String pythonFields(String line) {
        if (!line.contains("'")) {
            return line;
        }
        return PYTHON_FIELD.matcher(line).replaceAll(match -> {
            boolean secret = SecretKeys.isField(match.group(1)) || isStrong(match.group(1));
            boolean shown = !secret || Masks.isMasked(match.group(2));
            String field = match.group();
            return Matcher.quoteReplacement(
                    shown ? field : field.substring(0, match.start(2) - match.start()) + Masks.STARS + "'");
        });
    }

    private static boolean isStrong(String key) {
        return switch (SecretKeys.kind(key)) {
            case PASSWORD, CREDENTIAL -> true;
            case BARE, NONE -> false;
        };
    }

    private static String equalSigns(String line, Redactor.Mode mode) {
        var spans = new ArrayList<Span>();
        int from = 0;
        for (int at = line.indexOf('='); at >= 0; at = line.indexOf('=', Math.max(at + 1, from))) {
            if (isComparison(line, at)) {
                continue;
            }
            int keyEnd = skipBlanksBack(line, at);
            int keyStart = keyStart(line, keyEnd);
            String key = line.substring(keyStart, keyEnd);
            if (isCandidate(line, key, keyStart)) {
                Value value = value(line, at + 1, UPPER.matcher(key).matches());
                from = value.to;
                addIfSecret(spans, line, SecretKeys.kind(key), value, mode);
            }
        }
        return Span.replace(line, spans);
    }

    private static boolean isComparison(String line, int at) {
        return (at + 1 < line.length() && line.charAt(at + 1) == '=')
                || (at > 0 && "=!<>".indexOf(line.charAt(at - 1)) >= 0);
    }

    /// Returns whether a name counts: capitals anywhere, other names only where it cannot be part of
    /// a URL.
    private static boolean isCandidate(String line, String key, int keyStart) {
        if (key.isEmpty() || SecretKeys.kind(key) == SecretKeys.Kind.NONE) {
            return false;
        }
        if (UPPER.matcher(key).matches()) {
            return true;
        }
        boolean named = LOWER_TAIL.matcher(key).matches()
                || key.indexOf('.') > 0
                || LINE_START.matcher(line).region(0, keyStart).matches();
        return named && !line.contains("://");
    }

    private record Value(int from, int to) {}

    private static Value value(String line, int start, boolean upper) {
        int from = start;
        while (from < line.length() && from < start + 8 && isBlank(line.charAt(from))) {
            from++;
        }
        char quote = from < line.length() ? line.charAt(from) : ' ';
        if (quote == '"' || quote == '\'') {
            int close = line.indexOf(quote, from + 1);
            if (close > 0) {
                return new Value(from + 1, close);
            }
            from++;
        }
        int to = from;
        while (to < line.length() && !Character.isWhitespace(line.charAt(to)) && (upper || line.charAt(to) != '&')) {
            to++;
        }
        return new Value(from, to);
    }

    private static void addIfSecret(
            List<Span> spans, String line, SecretKeys.Kind kind, Value value, Redactor.Mode mode) {
        String text = line.substring(value.from, value.to);
        if (SecretKeys.isSecret(kind, text)) {
            spans.add(new Span(value.from, value.to, Masks.of(text, "", mode)));
        }
    }

    private static String jsonFields(String line, Redactor.Mode mode) {
        if (!line.contains("\"")) {
            return line;
        }
        var spans = new ArrayList<Span>();
        var field = JSON_FIELD.matcher(line);
        int from = 0;
        while (field.find(from)) {
            from = field.end();
            if (SecretKeys.isField(field.group(2))) {
                int close = closingQuote(line, from, field.group(1).length());
                String value = line.substring(from, close);
                if (!value.isEmpty() && !Masks.isMasked(value) && !Masks.isReference(value)) {
                    spans.add(new Span(from, close, Masks.of(value, "", mode)));
                }
                from = close;
            }
        }
        return Span.replace(line, spans);
    }

    /// Returns the end of a string whose quotes have `depth` backslashes before them.
    private static int closingQuote(String line, int from, int depth) {
        for (int quote = line.indexOf('"', from); quote >= 0; quote = line.indexOf('"', quote + 1)) {
            int slashes = 0;
            while (quote - slashes > from && line.charAt(quote - slashes - 1) == '\\') {
                slashes++;
            }
            boolean closes = depth == 0 ? slashes % 2 == 0 : slashes <= depth;
            if (closes) {
                return quote - (depth == 0 ? 0 : slashes);
            }
        }
        return line.length();
    }

    private static String yamlField(String line, Redactor.Mode mode) {
        if (line.indexOf(':') < 0 || line.contains("://")) {
            return line;
        }
        var field = YAML_FIELD.matcher(line);
        if (!field.matches()) {
            return line;
        }
        var spans = new ArrayList<Span>();
        addIfSecret(spans, line, SecretKeys.kind(field.group(1)), new Value(field.start(2), field.end(2)), mode);
        return Span.replace(line, spans);
    }

    private static int skipBlanksBack(String line, int at) {
        int end = at;
        while (end > 0 && at - end < 8 && isBlank(line.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static int keyStart(String line, int keyEnd) {
        int start = keyEnd;
        while (start > 0 && keyEnd - start < LONGEST_KEY && VendorTokens.isName(line.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
