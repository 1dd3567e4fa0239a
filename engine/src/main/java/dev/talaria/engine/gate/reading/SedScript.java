package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;

/// Parses a program of `sed` to find the commands that it runs and the files that it writes.
final class SedScript {
    private static final String ALONE = "{}=dDgGhHnNpPxFz";
    private static final String NUMBERED = "lLqQ";
    private static final int LONGEST = 20_000;

    private final String text;
    private final boolean brackets; // whether [/] does not end a pattern, as in newer versions of sed
    private final List<String> commands = new ArrayList<>();
    private final List<String> writes = new ArrayList<>();
    private boolean runsInput;
    private boolean clear = true;
    private int at;
    private int open; // no set of letters ends before this place

    /// What a program does.
    ///
    /// @param commands the commands that it passes to a shell
    /// @param writes the files that it writes
    /// @param runsInput whether it runs its input
    /// @param clear whether all of it was understood
    record SedEffects(List<String> commands, List<String> writes, boolean runsInput, boolean clear) {}

    private SedScript(String text, boolean brackets) {
        this.text = text;
        this.brackets = brackets;
    }

    static SedEffects of(String text) {
        if (text.length() > LONGEST) {
            return new SedEffects(List.of(), List.of(), false, false);
        }
        SedEffects found = new SedScript(text, true).read();
        if (text.indexOf('[') < 0) {
            return found;
        }
        SedEffects other = new SedScript(text, false).read();
        if (!other.clear) {
            return found;
        }
        List<String> commands = new ArrayList<>(found.commands);
        commands.addAll(other.commands);
        List<String> writes = new ArrayList<>(found.writes);
        writes.addAll(other.writes);
        return new SedEffects(commands, writes, found.runsInput || other.runsInput, true);
    }

    private SedEffects read() {
        while (clear && at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c) || c == ';') {
                at++;
            } else {
                address();
                command();
            }
        }
        return new SedEffects(commands, writes, runsInput, clear);
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\n';
    }

    private void blanks() {
        while (at < text.length() && (peek() == ' ' || peek() == '\t')) {
            at++;
        }
    }

    /// Skips an address: `1`, `$`, `/pattern/I`, `\,pattern,`, `1~2`, `/a/,+3`, each with an optional
    /// `!`.
    private void address() {
        boolean more = true;
        while (more && at < text.length()) {
            char c = peek();
            more = true;
            if (Character.isDigit(c) || "$~+,! \t".indexOf(c) >= 0 || UnknownValues.mark(c)) {
                at++;
            } else if (c == '/' || c == '\\') {
                at += c == '\\' ? 1 : 0;
                char end = peek();
                at++;
                skip(end);
                while (peek() == 'I' || peek() == 'M') {
                    at++;
                }
            } else {
                more = false;
            }
        }
    }

    /// Skips the rest of a pattern, with the sign that ends it.
    private void skip(char end) {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == end) {
                return;
            }
            if (c == '\\') {
                at++;
            } else if (c == '[' && brackets) {
                int close = at < open ? -1 : closing(at);
                open = close < 0
                        ? Math.max(open, text.indexOf('\n', at) < 0 ? text.length() : text.indexOf('\n', at))
                        : open;
                at = close > 0 ? close : at;
            }
        }
        clear = false;
    }

    /// Returns the end of a set of letters: `[]abc]`, `[^]x]`, `[[:alpha:]]`.
    private int closing(int from) {
        int i = from;
        i += i < text.length() && text.charAt(i) == '^' ? 1 : 0;
        i += i < text.length() && text.charAt(i) == ']' ? 1 : 0;
        while (i < text.length() && text.charAt(i) != '\n') {
            char c = text.charAt(i);
            boolean named = c == '[' && i + 1 < text.length() && ":.=".indexOf(text.charAt(i + 1)) >= 0;
            int end = named ? text.indexOf(text.charAt(i + 1) + "]", i + 2) : -1;
            if (end > 0) {
                i = end + 2;
            } else if (c == ']') {
                return i + 1;
            } else {
                i++;
            }
        }
        return -1;
    }

    private void command() {
        if (at >= text.length()) {
            return;
        }
        char c = text.charAt(at++);
        if (ALONE.indexOf(c) >= 0) {
            return;
        }
        if (NUMBERED.indexOf(c) >= 0) {
            blanks();
            while (Character.isDigit(peek())) {
                at++;
            }
            return;
        }
        switch (c) {
            case ':', 'b', 't', 'T', 'v' -> label();
            case 'a', 'i', 'c' -> added();
            case '#' -> line();
            case 'r', 'R' -> line();
            case 'w', 'W' -> writes.add(line().strip());
            case 'e' -> run(line().strip());
            case 's' -> substitute();
            case 'y' -> {
                char end = delimiter();
                plain(end);
                plain(end);
            }
            case '\n', ';' -> {}
            default -> clear = false;
        }
    }

    private void run(String command) {
        if (command.isEmpty() || command.equals("}")) {
            runsInput = true;
        } else {
            commands.add(command);
        }
    }

    private void label() {
        blanks();
        while (at < text.length() && peek() != '\n' && peek() != ';' && peek() != '}') {
            at++;
        }
    }

    private String line() {
        int end = text.indexOf('\n', at);
        String line = text.substring(at, end < 0 ? text.length() : end);
        at = end < 0 ? text.length() : end + 1;
        return line;
    }

    /// Skips added text, which goes on behind a line that ends with `\`.
    private void added() {
        String line = line();
        while (line.endsWith("\\") && at < text.length()) {
            line = line();
        }
    }

    private char delimiter() {
        char end = peek();
        at++;
        clear &= end != '\n' && end != '\\';
        return end;
    }

    private void plain(char end) {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == end) {
                return;
            }
            at += c == '\\' ? 1 : 0;
        }
        clear = false;
    }

    private void substitute() {
        char end = delimiter();
        skip(end);
        int from = at;
        plain(end);
        String by = text.substring(Math.min(from, text.length()), Math.max(from, Math.min(at - 1, text.length())));
        while (at < text.length()) {
            char flag = text.charAt(at);
            if (flag == 'w') {
                at++;
                writes.add(line().strip());
                return;
            }
            if (flag == 'e') {
                runsInput = true;
                commands.add(by);
            } else if ("gpiImM".indexOf(flag) < 0 && !Character.isDigit(flag) && !UnknownValues.mark(flag)) {
                return;
            }
            at++;
        }
    }
}
