package dev.talaria.backends.options;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads JSON: objects become maps, arrays lists, numbers doubles, and `null` {@link Nothing}. It is
/// small, and it exists because backends bring no jars.
public final class JsonText {
    /// The value for `null`.
    public record Nothing() {}

    private static final int DEEPEST = 64;

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /// Parses a text of JSON.
    ///
    /// @throws IllegalArgumentException if it is no JSON
    public static Object parse(String text) {
        JsonText reading = new JsonText(text);
        Object value = reading.value(0);
        reading.blanks();
        if (reading.at < text.length()) {
            throw reading.wrong("nothing more");
        }
        return value;
    }

    private Object value(int depth) {
        blanks();
        if (depth > DEEPEST) {
            throw wrong("less depth");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", new Nothing());
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        for (blanks(); peek() != '}'; blanks()) {
            if (!members.isEmpty()) {
                expect(',');
                blanks();
            }
            String name = string();
            blanks();
            expect(':');
            members.put(name, value(depth + 1));
        }
        at++;
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        for (blanks(); peek() != ']'; blanks()) {
            if (!items.isEmpty()) {
                expect(',');
            }
            items.add(value(depth + 1));
        }
        at++;
        return items;
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        for (char c = peek(); c != '"'; c = peek()) {
            at++;
            read.append(c == '\\' ? escaped() : c);
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> c;
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong("four hex digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16); // NumberFormatException is an IllegalArgument
            }
            default -> throw wrong("an escape");
        };
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at == start) {
            throw wrong("a value");
        }
        return Double.valueOf(text.substring(start, at));
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("'" + c + "'");
        }
        at++;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("expected " + wanted + " at character " + (at + 1));
    }
}
