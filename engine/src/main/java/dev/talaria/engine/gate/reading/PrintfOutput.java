package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Optional;

/// Computes what `printf` prints. Widths and precisions are not computed.
final class PrintfOutput {
    private static final int MOST_ROUNDS = 20;

    private final String format;
    private final List<String> values;
    private final StringBuilder out = new StringBuilder();
    private int next;

    private PrintfOutput(String format, List<String> values) {
        this.format = format;
        this.values = values;
    }

    /// Returns the printed text, or a mark if it is not computed.
    static String of(List<String> given) {
        List<String> words = !given.isEmpty() && given.getFirst().equals("--") ? given.subList(1, given.size()) : given;
        if (words.isEmpty()) {
            return "";
        }
        PrintfOutput printed = new PrintfOutput(words.getFirst(), words.subList(1, words.size()));
        return printed.all() ? printed.out.toString() : UnknownValues.MADE;
    }

    /// Prints everything. The format is used again while there are arguments.
    private boolean all() {
        for (int round = 0; round == 0 || next < values.size(); round++) {
            int before = next;
            if (round > MOST_ROUNDS || !once()) {
                return false;
            }
            if (before == next) {
                return true;
            }
        }
        return true;
    }

    private boolean once() {
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at++);
            if (c == '\\') {
                at = AnsiQuotes.escape(format, at, out);
                if (at < 0) {
                    return false;
                }
            } else if (c != '%') {
                out.append(c);
            } else if (at >= format.length() || !conversion(format.charAt(at++))) {
                return false;
            }
        }
        return true;
    }

    private boolean conversion(char kind) {
        if (kind == '%') {
            out.append('%');
            return true;
        }
        String value = next < values.size() ? values.get(next) : "";
        next++;
        Optional<String> shown = converted(kind, value);
        shown.ifPresent(out::append);
        return shown.isPresent();
    }

    private static Optional<String> converted(char kind, String value) {
        return switch (kind) {
            case 's' -> Optional.of(value);
            case 'b' -> AnsiQuotes.echoed(value);
            case 'd', 'i', 'u' -> value.matches("-?[1-9]\\d*|0") ? Optional.of(value) : Optional.empty();
            case 'c' ->
                value.isEmpty() || value.charAt(0) >= 0x80 ? Optional.empty() : Optional.of(value.substring(0, 1));
            case 'q' -> value.matches("[\\w./-]+") ? Optional.of(value) : Optional.empty();
            default -> Optional.empty();
        };
    }
}
