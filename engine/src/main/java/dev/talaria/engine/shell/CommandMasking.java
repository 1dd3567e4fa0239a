package dev.talaria.engine.shell;

import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.output.Redactor.Mode;
import dev.talaria.engine.output.SecretFiles;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Decides how the output of a command is masked. Output usually counts as code, where a name like
/// `password` alone means nothing. The output of a command that shows variables, or a file of
/// variables, does not.
public final class CommandMasking {
    /// A quick check: most commands contain none of these words, and need no further checks.
    private static final Pattern WORTH_A_LOOK =
            Pattern.compile("(?i)env|set|export|declare|readonly|shrc|\\.bash_|profile|zlogin|\\.yaml");

    private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");

    /// Builtins that print all variables if all their words are options.
    private static final Set<String> LISTING = Set.of("export", "declare", "typeset", "readonly");

    private static final Set<String> READERS = Set.of(
            "cat", "head", "tail", "type", "bat", "less", "more", "nl", "zcat", "tac", "view", "batcat", "strings",
            "cut", "sort", "uniq", "diff", "paste", "column", "fold");

    /// Readers whose first word is a pattern, not a file.
    private static final Set<String> SEARCHERS =
            Set.of("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "awk", "gawk", "sed");

    /// Programs that pass names of files to others.
    private static final Set<String> FINDERS = Set.of("find", "fd", "xargs");

    private CommandMasking() {}

    public static Mode of(String command) {
        if (!WORTH_A_LOOK.matcher(command).find()) {
            return Mode.CODE;
        }
        Reading reading = Reading.of(command);
        if (reading.unreadable().isPresent()) {
            return Mode.FULL;
        }
        boolean handed = reading.programs().stream().anyMatch(FINDERS::contains)
                && reading.programs().stream().anyMatch(CommandMasking::reads);
        return reading.commands().stream().anyMatch(line -> showsSecrets(line, handed)) ? Mode.FULL : Mode.CODE;
    }

    private static boolean reads(String program) {
        return READERS.contains(program) || SEARCHERS.contains(program);
    }

    /// Returns whether a command shows secrets.
    ///
    /// @param handed whether a program named elsewhere may read files named here
    private static boolean showsSecrets(String line, boolean handed) {
        List<String> all = List.of(line.split(" "));
        String program = all.getFirst();
        List<String> words = all.stream()
                .skip(1)
                .takeWhile(word -> word.indexOf('<') < 0 && word.indexOf('>') < 0)
                .toList();
        if (line.indexOf('<') >= 0 && all.stream().skip(1 + words.size()).anyMatch(SecretFiles::isSecret)) {
            return true;
        }
        return switch (program) {
            case "printenv" -> true;
            case "env" -> runsNothing(words);
            case "set" -> words.isEmpty();
            default ->
                LISTING.contains(program)
                        ? words.stream().allMatch(word -> word.startsWith("-")) || words.contains("-p")
                        : readsSecrets(program, words, handed);
        };
    }

    private static boolean runsNothing(List<String> words) {
        String before = "";
        for (String word : words) {
            boolean value = Set.of("-u", "-C").contains(before);
            if (!value && !word.startsWith("-") && !ASSIGNMENT.matcher(word).matches()) {
                return false;
            }
            before = word;
        }
        return true;
    }

    private static boolean readsSecrets(String program, List<String> words, boolean handed) {
        if (!reads(program) && !(handed && FINDERS.contains(program))) {
            return false;
        }
        return words.stream()
                .filter(word -> !word.startsWith("-"))
                .skip(SEARCHERS.contains(program) ? 1 : 0)
                .anyMatch(SecretFiles::isSecret);
    }
}
