package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Programs in other languages that stand in a command: `python -c`, `perl -e`, `awk`. Their texts in quotes are read
/// as commands where they call a shell.
final class Code {
    private static final Pattern INTERPRETER =
            Pattern.compile("(?:python|pypy|perl|ruby|node|nodejs|php|bun|deno|lua)[\\d.]*|osascript|Rscript");
    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk");
    private static final Pattern RUNS = Pattern.compile("system|exec|spawn|popen|subprocess|shell|qx|`|\\||os\\.");
    private static final Pattern LITERAL =
            Pattern.compile("'((?:[^'\\\\]|\\\\.){0,2000})'|\"((?:[^\"\\\\]|\\\\.){0,2000})\"|`([^`]{0,2000})`"
                    + "|(?:qw|qx|q|qq|%w|%x|%W|%q|%Q)\\s*[(\\[{<]([^)\\]}>]{0,2000})[)\\]}>]");
    /// How interpreters are told to run a line in a shell: `!ls`, `\\! ls`, `.shell ls`, `:!ls`.
    static final Pattern ESCAPE = Pattern.compile("(?:[:\\\\%]?!+|\\.(?:shell|system)\\b|shell\\b|\\\\sh\\b)\\s*");

    private static final Pattern TEXT_OPTION =
            Pattern.compile("-[a-zA-Z]*[ceEr]|--eval|--print|-p|eval|--run|-pe|-ne|-e\\d*");
    private static final Pattern AWK_RUNS = Pattern.compile(
            "system\\s*\\(\\s*[^\"\\s)]|\\|\\s*getline|\\|&?\\s*\"(?:\\S*/)?(?:ba|da|z|k)?sh\\b|\\|&?\\s*[a-zA-Z_$]");
    private static final int MOST = 100;
    private static final int LONGEST = 20_000;

    private Code() {}

    /// What a program's arguments and its input hold.
    ///
    /// @param texts programs in its language
    /// @param commands those that it seems to give to a shell
    record Told(List<String> texts, List<String> commands) {}

    static Told of(String program, List<String> arguments, Input input) {
        boolean awk = AWKS.contains(program);
        if (!awk && !INTERPRETER.matcher(program).matches()) {
            return new Told(List.of(), List.of());
        }
        List<String> texts = new ArrayList<>();
        boolean file = false;
        for (int i = 0; i < arguments.size() && !file; i++) {
            String word = arguments.get(i);
            boolean takes = i + 1 < arguments.size();
            if (!awk && TEXT_OPTION.matcher(word).matches() && takes) {
                texts.add(arguments.get(++i));
                file = true;
            } else if (!awk && word.startsWith("--eval=")) {
                texts.add(word.substring("--eval=".length()));
                file = true;
            } else if (word.equals("-")) {
                break;
            } else if (!word.startsWith("-")) {
                file = !(program.equals("deno") || program.equals("bun"));
            }
        }
        if (awk) {
            texts.addAll(arguments);
        }
        if (!file && !awk && !input.rest().isEmpty() && !input.rest().equals(Surroundings.TYPED)) {
            texts.add(input.takeAll());
        }
        List<String> found = new ArrayList<>();
        texts.stream().filter(text -> text.length() < LONGEST).forEach(code -> {
            read(code, found);
            if (!awk) {
                found.addAll(CodeFiles.commands(code));
            }
        });
        return new Told(awk ? List.of() : texts, found);
    }

    /// Returns whether what awk runs depends on what it reads.
    static boolean runsInput(String program, List<String> arguments) {
        return AWKS.contains(program)
                && arguments.stream().anyMatch(word -> AWK_RUNS.matcher(word).find());
    }

    /// Returns the commands that a program in another language seems to hold.
    static List<String> commands(String code) {
        List<String> found = new ArrayList<>();
        if (code.length() < LONGEST) {
            read(code, found);
            found.addAll(CodeFiles.commands(code));
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
            list.append(text).append(' ');
            inner.append(text).append(' ');
            end = matcher.end();
            found.add(text);
            if (text.indexOf('\\') >= 0) {
                found.add(AnsiQuotes.decode(text));
            }
            if (goesOn && list.length() > text.length() + 1) {
                found.add(list.toString());
                found.add(inner.toString());
            }
        }
    }

    private static String text(Matcher literal) {
        for (int i = 1; i <= literal.groupCount(); i++) {
            if (literal.group(i) != null) {
                return literal.group(i);
            }
        }
        return "";
    }
}
