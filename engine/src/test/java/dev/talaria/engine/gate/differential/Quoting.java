package dev.talaria.engine.gate.differential;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Ways to write a text so that something else reads it as it was.
final class Quoting {
    private Quoting() {}

    static String single(String text) {
        return "'" + insideSingle(text) + "'";
    }

    static String apply(String filter, String text) {
        return switch (filter) {
            case "q" -> single(text);
            case "qq" -> insideSingle(text);
            case "dq" -> escape(text, "\\\"$`");
            case "here", "bt" -> escape(text, "\\$`");
            case "ansi" -> escape(text, "\\'").replace("\n", "\\n");
            case "perl" -> "'" + escape(text, "\\'") + "'";
            case "sed" -> escape(text, "/&");
            case "json" -> "\"" + escape(text, "\\\"").replace("\t", "\\t").replace("\n", "\\n") + "\"";
            case "b64" -> Base64.getEncoder().encodeToString((text + "\n").getBytes(StandardCharsets.UTF_8));
            case "hex" -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            case "x" -> each(text, "\\x%02x");
            case "oct" -> each(text, "\\%03o");
            case "u" -> each(text, "\\u%04x");
            case "rev" -> new StringBuilder(text).reverse().toString();
            case "rot" -> rotated(text);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "eol" -> text + "; :";
            case "underscores" -> text.replace(' ', '_');
            case "commas" -> text.replace(' ', ',');
            case "tabs" -> text.replace(" ", "\t \t");
            case "ifs" -> text.replace(" ", "$IFS$9");
            case "ifsbraces" -> text.replace(" ", "${IFS}");
            case "list" ->
                Stream.of(text.split(" ", -1)).map(word -> '"' + word + '"').collect(Collectors.joining(", "));
            default -> word(filter, text);
        };
    }

    private static String word(String filter, String text) {
        String first = text.substring(0, 1);
        String others = text.substring(1);
        return switch (filter) {
            case "split" -> first + "''" + others;
            case "slash" -> first + "\\" + others;
            case "glob" -> "[" + first + "]" + others;
            case "continued" -> first + "\\\n" + others;
            case "braced" -> "{" + text + ",}";
            case "front" -> first;
            case "back" -> others;
            case "length" -> String.valueOf(text.length());
            case "xs" -> first + "X" + others;
            default -> throw new IllegalArgumentException("There is no filter '" + filter + "'.");
        };
    }

    private static String insideSingle(String text) {
        return text.replace("'", "'\\''");
    }

    private static String escape(String text, String special) {
        return text.chars()
                .mapToObj(c -> special.indexOf(c) >= 0 ? "\\" + (char) c : String.valueOf((char) c))
                .collect(Collectors.joining());
    }

    private static String each(String text, String format) {
        return text.chars().mapToObj(c -> String.format(Locale.ROOT, format, c)).collect(Collectors.joining());
    }

    private static String rotated(String text) {
        return text.chars()
                .map(c -> Character.isLetter(c) ? (Character.toLowerCase(c) < 'n' ? c + 13 : c - 13) : c)
                .mapToObj(c -> String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}
