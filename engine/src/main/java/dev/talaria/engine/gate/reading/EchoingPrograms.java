package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Recognizes programs that print their arguments in a way that is not computed. Somebody may use
/// such a program to hide a word.
final class EchoingPrograms {
    /// Programs that can print any text in their arguments.
    private static final Pattern MAKING = Pattern.compile(
            "(?:python|pypy|perl|ruby|node|nodejs|php|bun|deno|lua)[\\d.]*|(?:g|m|n)?awk|expr|jq|bc|dc|openssl|numfmt|"
                    + "factor|tput|dd|declare|typeset|compgen|alias|trap|set|history|fc|hexdump|od|envsubst|m4|cpp|"
                    + "yes|getopt|dirs|pushd|popd|figlet|banner|toilet");

    private static final Pattern DATE = Pattern.compile("\\+[-%\\d_:./a-zA-Z ]*");

    /// Programs that print the names in their arguments, in part or with additions.
    private static final Set<String> NAMING = Words.set("""
            readlink realpath ls dir vdir dirname basename find stat namei tree du fd
            """);

    /// Folders with harmless files that commands often read.
    private static final Pattern HARMLESS =
            Pattern.compile("/(?:tmp|var/tmp|var/log|usr/share|usr/include|proc|sys)/.*");

    private static final Pattern GIT_FORMAT = Pattern.compile("--(?:format|pretty)=(?:t?format:)?(.*)", Pattern.DOTALL);
    private static final Pattern GIT_FORMATS =
            Pattern.compile("oneline|short|medium|full|fuller|reference|email|raw|mboxrd");

    /// The options of `git rev-parse`. It prints any other option unchanged.
    private static final Pattern REV_PARSE = Pattern.compile(
            "-q|--(?:quiet|verify|short(?:=\\d+)?|abbrev-ref(?:=\\w+)?|symbolic(?:-full-name)?|all|git-dir|git-common-dir|"
                    + "absolute-git-dir|show-toplevel|show-prefix|show-cdup|show-superproject-working-tree|git-path|"
                    + "is-inside-work-tree|is-inside-git-dir|is-bare-repository|is-shallow-repository|path-format=\\w+|"
                    + "branches.*|tags.*|remotes.*|revs-only|no-flags|end-of-options)");

    private EchoingPrograms() {}

    /// Returns whether a program's arguments alone may determine what it prints.
    static boolean makes(String program, List<String> arguments) {
        return switch (program) {
            case "date" ->
                arguments.stream()
                        .anyMatch(word ->
                                word.startsWith("+") && (!DATE.matcher(word).matches() || says(word.substring(1))));
            case "seq" -> arguments.stream().anyMatch(word -> word.matches("-[a-z]*[fs].*|--[fs].*"));
            case "git" -> git(arguments);
            case "find", "stat" -> formatted(program, arguments);
            default -> MAKING.matcher(program).matches() && !arguments.isEmpty();
        };
    }

    /// Returns whether a program prints names or contents that the text itself determines.
    static boolean of(String program, List<String> arguments, State state, Evaluator evaluator) {
        if (NAMING.contains(program)
                && (hidden(".", state, evaluator)
                        || arguments.indexOf("--") >= 0
                        || evaluator.findings.oddNames()
                        || arguments.stream().anyMatch(word -> hidden(word, state, evaluator)))) {
            return true;
        }
        return arguments.stream().anyMatch(word -> written(word, state, evaluator));
    }

    /// Returns whether a word names a file that this text has written, so that its content comes from
    /// the text.
    private static boolean written(String word, State state, Evaluator evaluator) {
        String content = Optional.ofNullable(state.files.get(word))
                .or(() -> evaluator.targets.stream(word, state).map(Input::rest))
                .orElse("");
        return !content.isEmpty() && !content.equals(ShellContext.TYPED) && !evaluator.findings.marks.ordinary(content);
    }

    /// Returns whether somebody may want to hide this path: one in the system, or a hidden one at
    /// home.
    private static boolean hidden(String word, State state, Evaluator evaluator) {
        if (word.startsWith("-")) {
            return false;
        }
        String path = evaluator.targets.key(word, state);
        String home = evaluator.surroundings.home().path();
        if (!path.startsWith("/")) {
            return word.matches("(?:.*/)?\\.[a-z].*");
        }
        if (path.startsWith(home + "/")) {
            return path.startsWith(".", home.length() + 1)
                    || Globs.wild(path.substring(home.length(), Math.min(path.length(), home.length() + 3)));
        }
        return !HARMLESS.matcher(path + "/").matches();
    }

    private static boolean formatted(String program, List<String> arguments) {
        boolean format = false;
        for (String word : arguments) {
            boolean told = program.equals("stat") && word.matches("--(?:format|printf)=.*|-[a-zA-Z]*c.+");
            if ((format && says(word)) || (told && says(word.replaceFirst("^(?:--[a-z]+=|-[a-zA-Z]*?c)", "")))) {
                return true;
            }
            format =
                    word.equals("-printf") || (program.equals("stat") && word.matches("-[a-zA-Z]*c|--format|--printf"));
        }
        return false;
    }

    private static boolean git(List<String> arguments) {
        for (String word : arguments) {
            Matcher format = GIT_FORMAT.matcher(word);
            if (format.matches()
                    && !GIT_FORMATS.matcher(format.group(1)).matches()
                    && says(format.group(1).replaceAll("%\\([^)]*\\)", "0"))) {
                return true;
            }
        }
        return arguments.contains("rev-parse")
                && arguments.stream()
                        .dropWhile(word -> !word.equals("rev-parse"))
                        .anyMatch(word ->
                                word.startsWith("-") && !REV_PARSE.matcher(word).matches());
    }

    /// Returns whether a format contains text of its own beside its placeholders.
    private static boolean says(String format) {
        String rest = format.replaceAll("%[nt]|\\\\[nt0]", " ").replaceAll("%[-_0^#+ .\\d]*:*[a-zA-Z]{1,2}", "0");
        return rest.matches("(?s)(?:.*\\s)?-.*|.*[a-zA-Z]{2}.*");
    }
}
