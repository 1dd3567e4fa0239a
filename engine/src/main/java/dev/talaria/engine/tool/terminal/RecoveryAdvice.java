package dev.talaria.engine.tool.terminal;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Suggests what to do after a failure, according to the command's output.
final class RecoveryAdvice {
    private static final int LOOKED_AT = 4000;

    private static final String QUOTING =
            "Text in the command broke the quoting. Write it to a file with write_file and pass the file instead.";

    private record Sign(Pattern pattern, Function<MatchResult, String> advice) {
        static Sign of(String regex, String advice) {
            return new Sign(Pattern.compile(regex), _ -> advice);
        }
    }

    private static final List<Sign> SIGNS = List.of(
            Sign.of(
                    "Unknown JSON field: \"?(\\w+)",
                    "gh does not know this field; use only fields from the list it printed."),
            Sign.of(
                    "(?m)^CONFLICT |Automatic merge failed|needs merge",
                    "There are merge conflicts: resolve them and commit, or abort. The same command again will not help."),
            new Sign(
                    Pattern.compile("(?:bash: line \\d+: |bash: |sh: \\d*:? ?)?([\\w.+-]+): command not found"),
                    found -> missing(found.group(1))),
            new Sign( // of shells other than bash; `HTTP 404: not found` is not one
                    Pattern.compile("\\bsh: (?:line )?(?:\\d+: )?([\\w.+-]+): not found"),
                    found -> missing(found.group(1))),
            new Sign(
                    Pattern.compile("(?:ModuleNotFoundError|ImportError): No module named '?([\\w.]+)"),
                    found -> "This interpreter has no module " + found.group(1)
                            + ". Use the project's virtual environment, or install the module there."),
            new Sign(
                    Pattern.compile("(?:fatal|error):.*?'([^']+)' already exists"),
                    found -> "'" + found.group(1) + "' is there already: use it, choose another name, or remove it."),
            Sign.of(
                    "API rate limit|was submitted too quickly",
                    "The service limits requests: do something else first and come back later."),
            Sign.of(
                    "Permission denied|EACCES",
                    "Look at owner and mode (ls -l) first; use sudo only if that is what it takes."),
            Sign.of("SyntaxError: invalid character", QUOTING),
            Sign.of("SyntaxError: unterminated (?:triple-quoted )?string literal", QUOTING),
            Sign.of("SyntaxError: EO[LF] while scanning", QUOTING),
            Sign.of("unexpected EOF while looking for matching", QUOTING),
            Sign.of("unterminated quoted string", QUOTING),
            Sign.of("(?:^|\\s)zsh:\\d*:? unmatched", QUOTING));

    private RecoveryAdvice() {}

    private static String missing(String program) {
        return switch (program) {
            case "python" -> "There is no 'python' here: use python3, or a virtual environment's python.";
            case "pip" -> "There is no 'pip' here: use pip3, python3 -m pip, or a virtual environment's pip.";
            default ->
                "There is no '" + program + "' on the PATH: check with `which`, install it, or give its full path.";
        };
    }

    /// Returns advice for an exit code other than 0 that has no meaning of its own.
    static Optional<String> hint(String output, int code) {
        String start = output.substring(0, Math.min(LOOKED_AT, output.length()));
        for (Sign sign : SIGNS) {
            Matcher matcher = sign.pattern.matcher(start);
            if (matcher.find()) {
                return Optional.of(sign.advice.apply(matcher));
            }
        }
        return switch (code) {
            case 126 ->
                Optional.of(
                        "It could not be executed: check its mode (chmod +x) and the interpreter in its first line.");
            case 137 -> Optional.of("It was killed, probably for want of memory: do the work in smaller parts.");
            case 124 -> Optional.of("It took too long: give a larger timeout, or run it with background=true.");
            default -> Optional.empty();
        };
    }
}
