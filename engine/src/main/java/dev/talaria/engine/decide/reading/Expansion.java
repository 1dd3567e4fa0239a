package dev.talaria.engine.decide.reading;

import java.util.Optional;

/// `$name` and `${name...}`, as far as their value can be told.
final class Expansion {
    /// No honest expansion is longer; a bound keeps a text of nothing but `${` cheap.
    private static final int LONGEST = 100;

    private Expansion() {}

    /// Returns where the expansion ends whose dollar stands before `start`.
    static int end(String text, int start) {
        if (start >= text.length()) {
            return start;
        }
        char first = text.charAt(start);
        if (first == '{') {
            int open = 0;
            for (int i = start; i < Math.min(text.length(), start + LONGEST); i++) {
                char c = text.charAt(i);
                open += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (open == 0) {
                    String inner = text.substring(start, i);
                    boolean runs = inner.contains("$(") || inner.indexOf('`') >= 0;
                    return runs ? start : i + 1; // what it runs is read like any other text
                }
            }
            return start;
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

    /// Returns the value; what only the shell knows stays as it is written.
    static String value(String written, Findings findings) {
        boolean braces = written.startsWith("${") && written.endsWith("}");
        String inner = braces ? written.substring(2, written.length() - 1) : written.substring(1);
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
            return ""; // a command of ours has no arguments
        }
        if (name.length() == 1 && Character.isDigit(name.charAt(0)) && !name.equals("0") && operation.isEmpty()) {
            return "";
        }
        if (name.equals("HOME") && operation.isEmpty()) {
            return "~";
        }
        Optional<String> known = name.isEmpty() ? Optional.empty() : findings.variable(name);
        return operation.isEmpty() ? known.orElse(written) : operated(known, operation, written);
    }

    private static String operated(Optional<String> known, String operation, String written) {
        String bare = operation.startsWith(":") ? operation.substring(1) : operation;
        if (bare.startsWith("-") || bare.startsWith("=")) {
            return known.filter(value -> !value.isEmpty()).orElse(bare.substring(1));
        }
        if (bare.startsWith("+")) {
            return bare.substring(1);
        }
        if (bare.startsWith("/")) {
            String[] parts = bare.substring(bare.startsWith("//") ? 2 : 1).split("/", 2);
            String with = parts.length > 1 ? parts[1] : "";
            return known.map(value -> value.replace(parts[0], with)).orElse(with);
        }
        return known.orElse(written);
    }
}
