package dev.talaria.engine.decide.reading;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `$name` and `${name...}`, as far as their value can be told.
final class Expansion {
    /// Variables that every shell has, for what is cut out of them.
    private static final Map<String, String> USUAL = Map.of(
            "HOME", "/home/user",
            "PWD", "/home/user/work",
            "OLDPWD", "/home/user",
            "SHELL", "/bin/bash",
            "PATH", "/usr/local/bin:/usr/bin:/bin");

    private Expansion() {}

    /// Returns where the expansion ends whose dollar stands before `start`; `start` itself if it has to be read like
    /// any other text, since it runs something or never ends.
    static int end(String text, int start, boolean quoted, Findings findings) {
        if (start >= text.length()) {
            return start;
        }
        char first = text.charAt(start);
        if (first == '{') {
            return endOfBraces(text, start, quoted, findings);
        }
        if (Character.isDigit(first) || "@*#?!-".indexOf(first) >= 0) {
            return start + 1;
        }
        int i = start;
        while (i < text.length() && Programs.nameLetter(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int endOfBraces(String text, int start, boolean quoted, Findings findings) {
        int open = 0;
        boolean within = false; // double quotes
        int i = start;
        for (; i < text.length() && findings.scan(); i++) {
            char c = text.charAt(i);
            boolean dollar = i > start && text.charAt(i - 1) == '$';
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                within = !within;
            } else if (c == '\'' && !quoted && !within) {
                int end = text.indexOf('\'', i + 1);
                if (end < 0) {
                    break;
                }
                i = end;
            } else if (c == '`' || (c == '(' && dollar)) {
                break;
            } else if (c == '{' && (i == start || dollar)) {
                open++;
            } else if (c == '}' && !within && --open == 0) {
                return i + 1;
            }
        }
        findings.unsure();
        return start;
    }

    /// Returns the value; what only the shell knows stays as it is written.
    static String value(String written, Findings findings) {
        boolean braces = written.startsWith("${") && written.endsWith("}");
        String inner = braces ? written.substring(2, written.length() - 1) : written.substring(1);
        if (inner.startsWith("!") && inner.length() > 1) {
            Optional<String> named = findings.variable(inner.substring(1));
            return named.flatMap(findings::variable).orElse(written);
        }
        int end = 0;
        while (end < inner.length() && Programs.nameLetter(inner.charAt(end))) {
            end++;
        }
        String name = inner.substring(0, end);
        String operation = inner.substring(end);
        if (name.equals("IFS")) {
            return " ";
        }
        if (name.isEmpty() && (operation.equals("@") || operation.equals("*"))) {
            return String.join(" ", findings.arguments());
        }
        boolean number = !name.isEmpty() && Character.isDigit(name.charAt(0));
        if (number && operation.isEmpty() && !name.equals("0")) {
            return findings.argument(name);
        }
        if (name.equals("HOME") && operation.isEmpty()) {
            return findings.variable(name).orElse("~");
        }
        Optional<String> known = name.isEmpty() ? Optional.empty() : findings.variable(name);
        return operation.isEmpty() ? known.orElse(written) : operated(name, known, operation, written, findings);
    }

    private static String operated(
            String name, Optional<String> known, String operation, String written, Findings findings) {
        String bare = operation.startsWith(":") ? operation.substring(1) : operation;
        if (bare.startsWith("-") || bare.startsWith("=")) {
            return known.filter(value -> !value.isEmpty()).orElseGet(() -> operand(bare.substring(1), findings));
        }
        if (bare.startsWith("+")) {
            return operand(bare.substring(1), findings);
        }
        if (bare.startsWith("/")) {
            String[] parts = bare.substring(bare.startsWith("//") ? 2 : 1).split("/", 2);
            String with = parts.length > 1 ? operand(parts[1], findings) : "";
            return known.map(value -> value.replace(parts[0], with)).orElse(with);
        }
        Optional<String> value = known.or(() -> Optional.ofNullable(USUAL.get(name)));
        return value.flatMap(text -> cut(text, operation)).or(() -> known).orElse(written);
    }

    /// What stands for a value that is not there, without its quotes.
    private static String operand(String text, Findings findings) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '$') {
                int end = end(text, i + 1, true, findings);
                String written = text.substring(i, Math.max(end, i + 1));
                out.append(written.length() > 1 && findings.scan() ? value(written, findings) : written);
                i = Math.max(end, i + 1) - 1;
            } else if (c != '\'' && c != '"' && c != '\\') {
                out.append(c);
            }
        }
        return out.toString();
    }

    /// `${x:1:2}`, `${x#a}`, `${x%b}`, `${x,,}`
    private static Optional<String> cut(String value, String operation) {
        char kind = operation.charAt(0);
        String rest = operation.substring(1);
        return switch (kind) {
            case ':' -> part(value, rest);
            case ',' -> Optional.of(value.toLowerCase(Locale.ROOT));
            case '^' -> Optional.of(value.toUpperCase(Locale.ROOT));
            case '#' -> Optional.of(withoutBeginning(value, rest));
            case '%' -> Optional.of(withoutEnd(value, rest));
            default -> Optional.empty();
        };
    }

    private static Optional<String> part(String value, String numbers) {
        String[] parts = numbers.strip().split(":", 2);
        if (!parts[0].strip().matches("-?\\d{1,6}")
                || (parts.length > 1 && !parts[1].strip().matches("\\d{1,6}"))) {
            return Optional.empty();
        }
        int from = Integer.parseInt(parts[0].strip());
        int start = Math.clamp(from < 0 ? value.length() + from : from, 0, value.length());
        int length = parts.length > 1 ? Integer.parseInt(parts[1].strip()) : value.length();
        return Optional.of(value.substring(start, Math.min(value.length(), start + length)));
    }

    private static String withoutBeginning(String value, String pattern) {
        String bare = pattern.startsWith("#") ? pattern.substring(1) : pattern;
        if (bare.startsWith("*") && !Globs.wild(bare.substring(1))) {
            String mark = bare.substring(1);
            int found = pattern.startsWith("#") ? value.lastIndexOf(mark) : value.indexOf(mark);
            return found < 0 ? value : value.substring(found + mark.length());
        }
        return value.startsWith(bare) ? value.substring(bare.length()) : value;
    }

    private static String withoutEnd(String value, String pattern) {
        String bare = pattern.startsWith("%") ? pattern.substring(1) : pattern;
        if (bare.endsWith("*") && !Globs.wild(bare.substring(0, bare.length() - 1))) {
            String mark = bare.substring(0, bare.length() - 1);
            int found = pattern.startsWith("%") ? value.indexOf(mark) : value.lastIndexOf(mark);
            return found < 0 ? value : value.substring(0, found);
        }
        if (bare.equals("[!/]*")) { // what is in front of the first name: the root
            return value.startsWith("/") ? "/" : "";
        }
        return value.endsWith(bare) ? value.substring(0, value.length() - bare.length()) : value;
    }
}
