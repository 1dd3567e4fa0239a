package dev.talaria.engine.decide.reading;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What programs print, where that can be told from their arguments and their input.
final class Filters {
    private static final Set<String> PASSING = Set.of("cat", "tee", "sponge", "pv", "head", "tail", "sort", "uniq");
    private static final Set<String> FINDERS = Set.of("which", "command", "type");
    private static final Pattern CONVERSION = Pattern.compile("%[-0-9.]*([sbdicqx%])");
    private static final Pattern DECODING = Pattern.compile("-[a-zA-Z]*[dDr][a-zA-Z]*|--decode|--revert");
    private static final Set<String> KNOWN =
            Set.of("echo", "printf", "which", "command", "type", "base64", "xxd", "rev");
    private static final int MOST_ROUNDS = 20;

    private Filters() {}

    /// @param given the program's words
    /// @param input what it reads
    static Optional<String> output(String program, List<String> given, Optional<String> input) {
        if (!KNOWN.contains(program) && !PASSING.contains(program)) {
            return Optional.empty();
        }
        List<String> arguments = given.stream()
                .dropWhile(text -> text.startsWith("-") && text.length() <= 3)
                .toList();
        if (program.equals("echo")) {
            String text = String.join(" ", arguments);
            return Optional.of(given.size() > arguments.size() ? AnsiQuotes.decode(text) : text);
        }
        if (program.equals("printf")) {
            return arguments.isEmpty() ? Optional.empty() : Optional.of(printed(arguments));
        }
        if (FINDERS.contains(program)) {
            return arguments.isEmpty() ? Optional.empty() : Optional.of(arguments.getLast());
        }
        if (PASSING.contains(program)) {
            return input;
        }
        return switch (program) {
            case "base64" -> decodes(given) ? input.flatMap(Filters::fromBase64) : Optional.empty();
            case "xxd" -> decodes(given) ? input.flatMap(Filters::fromHex) : Optional.empty();
            case "rev" -> input.map(text -> new StringBuilder(text).reverse().toString());
            default -> Optional.empty();
        };
    }

    private static boolean decodes(List<String> words) {
        return words.stream().anyMatch(word -> DECODING.matcher(word).matches());
    }

    /// `printf` uses its format again while there are arguments.
    private static String printed(List<String> arguments) {
        String format = AnsiQuotes.decode(arguments.getFirst());
        List<String> values = arguments.subList(1, arguments.size());
        StringBuilder out = new StringBuilder();
        int next = 0;
        for (int round = 0; round < MOST_ROUNDS && (round == 0 || next < values.size()); round++) {
            int before = next;
            Matcher matcher = CONVERSION.matcher(format);
            int end = 0;
            while (matcher.find()) {
                out.append(format, end, matcher.start());
                end = matcher.end();
                if (matcher.group(1).equals("%")) {
                    out.append('%');
                } else if (next < values.size()) {
                    String value = values.get(next++);
                    out.append(matcher.group(1).equals("b") ? AnsiQuotes.decode(value) : value);
                }
            }
            out.append(format, end, format.length());
            if (before == next) {
                break;
            }
        }
        return out.toString();
    }

    private static Optional<String> fromBase64(String text) {
        try {
            return Optional.of(new String(Base64.getMimeDecoder().decode(text.strip()), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> fromHex(String text) {
        try {
            return Optional.of(new String(HexFormat.of().parseHex(text.replaceAll("\\s", "")), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
