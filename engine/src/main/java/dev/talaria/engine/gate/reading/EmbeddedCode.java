package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds commands in programs of other languages that stand in a command: `python -c`, `perl -e`,
/// `awk`. Where such a program calls a shell, its string literals are read as commands.
final class EmbeddedCode {
    private static final Pattern RUNS = Pattern.compile(
            "(?i)system|exec|spawn|popen|subprocess|shell|qx|%x|`|\\||os\\.|passthru|pcntl|open3|pty|getoutput"
                    + "|readpipe|proc_|deno\\.command|process|command|run|call|cmd|getattr|__import__|eval|fork");
    private static final Pattern LITERAL =
            Pattern.compile("'((?:[^'\\\\]|\\\\.){0,2000})'|\"((?:[^\"\\\\]|\\\\.){0,2000})\"|`([^`]{0,2000})`"
                    + "|(?:\\b(?:qw|qx|qq|q)|%[wxWqQ]?)\\s*[(\\[{<]([^)\\]}>]{0,2000})[)\\]}>]"
                    + "|(?:\\b(?:qw|qx|qq|q)|%[wxWqQ])\\s*([/|!#,;:~^@+=-])((?:(?!\\5).){0,2000})\\5"
                    + "|\\[(=*)\\[((?:(?!\\]\\7\\]).){0,2000})\\]\\7\\]");
    /// `system(rm => -rf => "build")`, `Command("rm", {args: ["-rf", "build"]})`
    private static final Pattern CALL = Pattern.compile(
            "(?i)(?:system2?|exec\\w*|spawn\\w*|popen\\w*|Command|cmd|call|run|run-program|check_\\w+)\\s*[( ]([^;\\n|&$`<>]{3,300})");
    private static final Pattern JOINED = Pattern.compile("\\s*(?:\\+|\\.{1,2}|<>|~|&|\\|\\|)?\\s*");
    /// The ways to make an interpreter run a line in a shell: `!ls`, `\\! ls`, `.shell ls`, `:!ls`.
    static final Pattern ESCAPE = Pattern.compile(
            "(?:[:\\\\%]?!+|%%?(?:sx|system|bash|sh)\\b|\\.(?:shell|system)\\b|shell\\b|\\\\sh\\b)\\s*");

    private static final int MOST = 100;
    static final int LONGEST = 20_000;

    private EmbeddedCode() {}

    /// Returns the commands that a program in another language seems to contain.
    static List<String> commands(String code) {
        List<String> found = new ArrayList<>(runs(code));
        if (code.length() < LONGEST) {
            found.addAll(CodeFiles.commands(code));
        }
        return found;
    }

    /// Returns the commands that a program seems to pass to a shell.
    static List<String> runs(String code) {
        List<String> found = new ArrayList<>();
        if (code.length() < LONGEST) {
            read(code, found);
        }
        return found;
    }

    private static void read(String code, List<String> found) {
        if (!RUNS.matcher(code).find()) {
            return;
        }
        Matcher matcher = LITERAL.matcher(code);
        StringBuilder list = new StringBuilder(); // ['rm', '-rf', '/']
        StringBuilder inner = new StringBuilder(); // execvp('rm', ['rm', '-rf', '/'])
        StringBuilder joined = new StringBuilder(); // 'r' + 'm -rf /'
        int end = 0;
        while (matcher.find() && found.size() < MOST) {
            String text = text(matcher);
            String between = code.substring(end, matcher.start());
            boolean goesOn = between.matches("[\\s,\\[\\]()]*");
            if (!goesOn) {
                list.setLength(0);
            }
            if (!goesOn || between.indexOf('[') >= 0) {
                inner.setLength(0);
            }
            boolean together = !joined.isEmpty() && JOINED.matcher(between).matches();
            if (!together) {
                joined.setLength(0);
            }
            list.append(text).append(' ');
            inner.append(text).append(' ');
            joined.append(text);
            end = matcher.end();
            found.add(text);
            if (text.indexOf('\\') >= 0) {
                found.add(AnsiQuotes.decode(text));
            }
            if (goesOn && list.length() > text.length() + 1) {
                found.add(list.toString());
                found.add(inner.toString());
            }
            if (together) {
                found.add(joined.toString());
            }
        }
        calls(code, found);
    }

    private static void calls(String code, List<String> found) {
        Matcher call = CALL.matcher(code.replace("=>", ","));
        while (call.find() && found.size() < MOST) {
            String inside = call.group(1);
            int end = inside.indexOf(')');
            for (String one : end < 0 ? List.of(inside) : List.of(inside, inside.substring(0, end))) {
                String words = one.replaceAll("\\b\\w+:(?=\\s*\\[)|[\"'(),\\[\\]{}]", " ")
                        .strip();
                if (words.matches("(?s)[a-z]\\w*\\s.*")) {
                    found.add(words);
                }
            }
        }
    }

    private static String text(Matcher literal) {
        for (int group : List.of(1, 2, 3, 4, 6, 8)) {
            if (literal.group(group) != null) {
                return literal.group(group);
            }
        }
        return "";
    }
}
