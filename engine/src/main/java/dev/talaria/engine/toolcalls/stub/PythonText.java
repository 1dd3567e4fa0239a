package dev.talaria.engine.toolcalls.stub;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes Java values as Python source. The result is ASCII, and no value can end the literal that
/// contains it.
final class PythonText {
    /// Python's parser gives up at 200 nested brackets, its compiler a little later.
    private static final int MAX_DEPTH = 16;

    /// Python refuses longer decimal literals.
    private static final int MAX_DECIMAL_DIGITS = 4000;

    private PythonText() {}

    /// Returns a literal for a JSON value; empty if the value is nested too deeply or is not a JSON
    /// value.
    static Optional<String> literal(@Nullable Object value) {
        return literal(value, MAX_DEPTH);
    }

    private static Optional<String> literal(@Nullable Object value, int depth) {
        return switch (value) {
            case null -> Optional.of("None");
            case Boolean b -> Optional.of(b ? "True" : "False");
            case String s -> Optional.of(string(s));
            case Number n -> number(n);
            case List<?> list when depth > 0 -> joined("[", list.stream().map(item -> literal(item, depth - 1)), "]");
            case Map<?, ?> map
            when depth > 0 -> joined("{", map.entrySet().stream().map(entry -> pair(entry, depth - 1)), "}");
            default -> Optional.empty();
        };
    }

    private static Optional<String> pair(Map.Entry<?, ?> entry, int depth) {
        return literal(entry.getValue(), depth).map(value -> string(String.valueOf(entry.getKey())) + ": " + value);
    }

    private static Optional<String> joined(String before, Stream<Optional<String>> literals, String after) {
        var items = literals.toList();
        return items.stream().allMatch(Optional::isPresent)
                ? Optional.of(items.stream().flatMap(Optional::stream).collect(Collectors.joining(", ", before, after)))
                : Optional.empty();
    }

    private static Optional<String> number(Number number) {
        return switch (number) {
            case Byte _, Short _, Integer _, Long _ -> Optional.of(number.toString());
            case BigInteger n -> Optional.of(integer(n));
            case Float _, Double _, BigDecimal _ -> decimal(number.doubleValue(), number.toString());
            default -> Optional.empty();
        };
    }

    private static String integer(BigInteger n) {
        var decimal = n.toString();
        return decimal.length() <= MAX_DECIMAL_DIGITS
                ? decimal
                : (n.signum() < 0 ? "-0x" : "0x") + n.abs().toString(16);
    }

    private static Optional<String> decimal(double value, String text) {
        if (!Double.isFinite(value)) {
            return Optional.empty();
        }
        return Optional.of(text.contains(".") || text.contains("E") ? text : text + ".0");
    }

    /// Returns a one-line string literal in double quotes.
    static String string(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> {
            if (c == '"') {
                out.append("\\\"");
            } else {
                append(out, c);
            }
        });
        return out.append('"').toString();
    }

    /// Returns a docstring whose further lines have the same indent as the first.
    static String docstring(String text, String indent) {
        var out = new StringBuilder(text.length() + 16).append("\"\"\"");
        var lines = text.strip().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).stripTrailing();
            if (i > 0) {
                out.append('\n').append(line.isEmpty() ? "" : indent);
            }
            appendDocLine(out, line, i == lines.size() - 1 && lines.size() == 1);
        }
        return out.append(lines.size() > 1 ? "\n" + indent : "")
                .append("\"\"\"")
                .toString();
    }

    /// Appends a line of a docstring. Quotes stay readable: only the third of a row, and one just
    /// before the closing quotes, is escaped.
    private static void appendDocLine(StringBuilder out, String line, boolean beforeClosing) {
        int quotes = 0;
        for (int i = 0; i < line.length(); ) {
            int c = line.codePointAt(i);
            i += Character.charCount(c);
            if (c != '"') {
                quotes = 0;
                append(out, c);
            } else if (++quotes == 3 || (beforeClosing && i == line.length())) {
                out.append("\\\"");
                quotes = 0;
            } else {
                out.append('"');
            }
        }
    }

    private static void append(StringBuilder out, int c) {
        if (c == '\\') {
            out.append("\\\\");
        } else if (c >= ' ' && c < 0x7f) {
            out.append((char) c);
        } else if (c == '\n') {
            out.append("\\n");
        } else if (c < 0x100) {
            out.append("\\x%02x".formatted(c));
        } else if (c < 0x10000) {
            out.append("\\u%04x".formatted(c));
        } else {
            out.append("\\U%08x".formatted(c));
        }
    }
}
