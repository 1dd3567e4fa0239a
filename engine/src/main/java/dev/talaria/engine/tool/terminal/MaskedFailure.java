package dev.talaria.engine.tool.terminal;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds failures behind an exit code of 0: a pipe returns only the code of its last command.
final class MaskedFailure {
    private static final Set<String> SHOW_TEXT = Set.of(
            "grep",
            "rg",
            "ag",
            "find",
            "ls",
            "cat",
            "head",
            "tail",
            "jq",
            "awk",
            "sed",
            "strings",
            "zcat",
            "journalctl",
            "dmesg",
            "echo",
            "printf");

    private static final Pattern PIPE =
            Pattern.compile("(?<!\\|)\\|(?!\\|)\\s*(?:tail|head|cat|tee|less|more|wc|sort|uniq)\\b[^|]*$");
    private static final Pattern FALLBACK = Pattern.compile("\\|\\|\\s*(?:echo\\b|printf\\b|true\\b|:\\s|:$)");

    private static final Pattern FAILURE =
            Pattern.compile("error\\[E\\d+\\]|error: could not compile|error: aborting due to"
                    + "|Traceback \\(most recent call last\\)|compilation terminated\\."
                    + "|(?m:^(?:=+ )?\\d+ failed)|(?m:^FAILED (?:\\S+::|\\S+\\.py))"
                    + "|npm ERR!|BUILD FAILED|Build FAILED|FAILED: |(?m:^make(?:\\[\\d+\\])?: \\*\\*\\*)");

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int LONGEST = 20_000; // the search for the last pipe takes quadratic time

    private MaskedFailure() {}

    /// Returns a warning if `command` ended with 0 although its output looks like a failure that it hides.
    static Optional<String> warning(String command, String output) {
        if (command.length() > LONGEST || SHOW_TEXT.contains(head(command))) {
            return Optional.empty();
        }
        boolean pipe = PIPE.matcher(command).find();
        if (!(pipe || FALLBACK.matcher(command).find())
                || !FAILURE.matcher(output).find()) {
            return Optional.empty();
        }
        return Optional.of("The exit code 0 is not the first command's: "
                + (pipe ? "a pipe shows its last command's only" : "`||` replaced it")
                + ", and the output looks like a failure. Check it, or run the command with `set -o pipefail`"
                + " and without a fallback.");
    }

    private static String head(String command) {
        for (String word : BLANKS.split(command.strip(), 50)) {
            if (word.indexOf('=') < 0) {
                return word.substring(word.lastIndexOf('/') + 1);
            }
        }
        return "";
    }
}
