package dev.talaria.engine.job;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.util.Resources;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes text for the POSIX shell of a sandbox.
public final class ShellText {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Variables that some shells refuse to set. They stop at the attempt.
    private static final Set<String> OF_THE_SHELL =
            Set.of("UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO", "LINENO", "OLDPWD", "SHLVL", "_");

    private ShellText() {}

    /// Returns a script that lies beside this class.
    public static String script(String name) {
        return Resources.text(ShellText.class, name);
    }

    /// Returns a word on one line, for a shell whose variable `n` contains a line break.
    public static String word(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A NUL can be in no argument and no variable. Send such data by stdin.");
        }
        return "'" + text.replace("'", "'\\''").replace("\n", "'\"$n\"'") + "'";
    }

    /// Returns one line that exports variables.
    public static String exports(Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(variable -> !OF_THE_SHELL.contains(variable.getKey()))
                .map(variable -> "export " + name(variable.getKey()) + "=" + word(variable.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The variable '" + name + "' cannot be set by a shell, and this sandbox has nothing better."
                            + " Use letters, digits and '_' for its name, or install Python 3.8 in the sandbox.");
        }
        return name;
    }
}
