package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Programs in other languages that stand in a command: `python -c`, `perl -e`, `awk`. Their texts in quotes are read
/// as
/// commands where they call a shell, and as paths where they delete.
final class Code {
    private static final Pattern INTERPRETER =
            Pattern.compile("(?:python|pypy|perl|ruby|node|nodejs|php|bun|deno|lua)[\\d.]*|osascript|Rscript");
    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk");
    private static final Pattern RUNS = Pattern.compile("system|exec|spawn|popen|subprocess|shell|qx|`|\\||os\\.");
    private static final Pattern DELETES =
            Pattern.compile("rmtree|rm_rf|rm_r\\b|rmSync|rmdirSync|fs\\.rm\\b|rimraf|removedirs|remove_tree|deltree");
    private static final Pattern LITERAL =
            Pattern.compile("'((?:[^'\\\\]|\\\\.){0,2000})'|\"((?:[^\"\\\\]|\\\\.){0,2000})\"|`([^`]{0,2000})`");
    /// How interpreters are told to run a line in a shell: `!ls`, `\\! ls`, `.shell ls`, `:!ls`.
    static final Pattern ESCAPE = Pattern.compile("(?:[:\\\\%]?!+|\\.(?:shell|system)\\b|shell\\b|\\\\sh\\b)\\s*");

    private static final int MOST = 100;
    private static final int LONGEST = 20_000;

    private Code() {}

    /// Returns the commands that a program's arguments seem to hold.
    static List<String> commands(String program, List<String> arguments) {
        boolean awk = AWKS.contains(program);
        if (arguments.isEmpty() || (!awk && !INTERPRETER.matcher(program).matches())) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        arguments.stream()
                .filter(text -> text.length() > 4 && text.length() < LONGEST && !text.startsWith("-"))
                .limit(awk ? 2 : 4)
                .forEach(code -> read(code, found));
        return found;
    }

    private static void read(String code, List<String> found) {
        boolean deletes = DELETES.matcher(code).find();
        if (!deletes && !RUNS.matcher(code).find()) {
            return;
        }
        Matcher matcher = LITERAL.matcher(code);
        StringBuilder list = new StringBuilder(); // ['rm', '-rf', '/']
        int end = 0;
        while (matcher.find() && found.size() < MOST) {
            String text = matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
            boolean goesOn = code.substring(end, matcher.start()).matches("[\\s,]*");
            if (!goesOn) {
                list.setLength(0);
            }
            list.append(text).append(' ');
            end = matcher.end();
            found.add(text);
            if (goesOn && list.length() > text.length() + 1) {
                found.add(list.toString());
            }
            if (deletes && (text.startsWith("/") || text.startsWith("~"))) {
                found.add("rm -rf " + text);
            }
        }
    }
}
