package dev.talaria.backends.process;

import dev.talaria.backends.options.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Quotes and joins words for a POSIX shell, and splits lines as a POSIX shell does.
public final class ShellWords {
    private ShellWords() {}

    public static String quote(String word) {
        boolean plain = !word.isEmpty() && word.chars().allMatch(ShellWords::plain);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    public static String quote(List<String> words) {
        return words.stream().map(ShellWords::quote).collect(Collectors.joining(" "));
    }

    private static boolean plain(int c) {
        return c < 128 && (Character.isLetterOrDigit(c) || "_-./:,+@%".indexOf(c) >= 0);
    }

    /// Returns the words of all parts of a command line, in order.
    @SafeVarargs
    public static List<String> joined(List<String>... parts) {
        List<String> words = new ArrayList<>();
        for (List<String> part : parts) {
            words.addAll(part);
        }
        return List.copyOf(words);
    }

    /// Returns the words that run a command in a folder, and that fail if the folder does not exist.
    public static List<String> inFolder(String folder, List<String> argv) {
        return joined(List.of("sh", "-c", "cd -- \"$0\" && exec \"$@\"", folder), argv);
    }

    /// Returns the words of a line. Quotes and backslashes count; nothing is expanded.
    ///
    /// @throws dev.talaria.api.SandboxException if there are none, or a quote is not closed
    public static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            boolean escaped =
                    c == '\\' && quote != '\'' && at + 1 < line.length() && escapes(quote, line.charAt(at + 1));
            if (escaped) {
                word.append(line.charAt(++at));
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw Options.refuse("A quote (" + quote + ") is not closed in: " + line);
        }
        if (inWord) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw Options.refuse("There is no word in: '" + line + "'. Write a program and its arguments.");
        }
        return List.copyOf(words);
    }

    private static boolean escapes(char quote, char next) {
        return quote == 0 || "\"\\$`".indexOf(next) >= 0;
    }
}
