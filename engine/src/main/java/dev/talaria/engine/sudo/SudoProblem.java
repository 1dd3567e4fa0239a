package dev.talaria.engine.sudo;

import java.util.Optional;
import java.util.regex.Pattern;

/// Recognizes sudo's error messages, and suggests what to do.
final class SudoProblem {
    private static final Pattern NO_NEW_PRIVILEGES =
            Pattern.compile("sudo: (?:.{0,10}The )?.?no new privileges.? flag is set|sudo: effective uid is not 0");

    private static final Pattern NO_TERMINAL =
            Pattern.compile("sudo: (?:a terminal is required|no tty present|no askpass program)");

    private SudoProblem() {}

    static Optional<String> in(String output) {
        if (NO_NEW_PRIVILEGES.matcher(output).find()) {
            return Optional.of(
                    "sudo cannot work in this sandbox: it runs with no-new-privileges, so that no program in it can get more"
                            + " rights than it was started with. Bubblewrap always does that, and containers with"
                            + " --security-opt no-new-privileges. Do it without root, or on another backend.");
        }
        if (NO_TERMINAL.matcher(output).find()) {
            return Optional.of(
                    "This sudo was given no password: some other program called it, or there is no Python here. The"
                            + " password is for a sudo that the command itself names, where a relay runs.");
        }
        return Optional.empty();
    }
}
