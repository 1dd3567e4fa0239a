package dev.talaria.engine.decide.reading;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What programs print, where that can be told exactly from their arguments and their input.
final class Filters {
    /// Programs that print nothing, as long as nothing goes wrong.
    private static final Set<String> SILENT = Set.of(
            "cd",
            ":",
            "true",
            "false",
            "export",
            "set",
            "shift",
            "unset",
            "trap",
            "rm",
            "mkdir",
            "touch",
            "chmod",
            "chown",
            "cp",
            "mv",
            "ln",
            "sleep",
            "wait",
            "read",
            "test",
            "[",
            "exit",
            "return",
            "break",
            "continue",
            "umask",
            "kill",
            "exec",
            "rmdir",
            "truncate",
            "sync",
            "disown",
            "bg");

    /// Programs that read all of their input if they are given no file.
    private static final Set<String> READING = Set.of(
            "cat",
            "tee",
            "tr",
            "rev",
            "base64",
            "base32",
            "sort",
            "uniq",
            "wc",
            "xxd",
            "tac",
            "nl",
            "fold",
            "column",
            "paste",
            "shuf",
            "sponge",
            "od",
            "hexdump",
            "cut",
            "iconv",
            "openssl",
            "gzip",
            "gunzip",
            "zcat",
            "md5sum",
            "sha256sum",
            "jq",
            "grep",
            "egrep",
            "fgrep",
            "bc",
            "dc",
            "awk",
            "gawk",
            "mawk",
            "sed",
            "head",
            "tail",
            "xargs");

    /// Programs that can print whatever their arguments say.
    private static final Pattern MAKING = Pattern.compile(
            "(?:python|pypy|perl|ruby|node|nodejs|php|bun|deno|lua)[\\d.]*|(?:g|m|n)?awk|expr|jq|bc|dc|openssl|numfmt|"
                    + "factor|tput|dd|declare|typeset|compgen|alias|trap|set|history|fc|hexdump|od|envsubst|m4|cpp");

    private static final Pattern CONVERSION = Pattern.compile("%([^a-zA-Z%]*)([a-zA-Z%])");
    private static final Pattern ECHO_OPTION = Pattern.compile("-[neE]+");
    private static final Pattern DECODING =
            Pattern.compile("-[a-zA-Z]*[dDr][a-zA-Z]*|--decode|--revert|--d\\w*|--rev\\w*");
    private static final Pattern DATE = Pattern.compile("\\+[-%\\d_:./a-zA-Z ]*");
    private static final int MOST_ROUNDS = 20;

    private Filters() {}

    static boolean reads(String program, List<String> arguments) {
        return READING.contains(program) && !(program.equals("cat") && hasFiles(arguments));
    }

    private static boolean hasFiles(List<String> arguments) {
        return arguments.stream().anyMatch(word -> !word.startsWith("-"));
    }

    /// Returns whether a program may print something that only its arguments say.
    static boolean makes(String program, List<String> arguments) {
        if (program.equals("date")) {
            return arguments.stream()
                    .anyMatch(word -> word.startsWith("+")
                            && (!DATE.matcher(word).matches()
                                    || word.replaceAll("%[-_0^#]?[a-zA-Z]", "").matches(".*[a-z]{2}.*")));
        }
        return MAKING.matcher(program).matches() && !arguments.isEmpty();
    }

    /// Returns what a program prints; nothing if it cannot be told.
    ///
    /// @param given the program's words
    /// @param input what it reads
    static Optional<String> output(String program, List<String> given, String input, State state, Evaluator evaluator) {
        if (SILENT.contains(program)) {
            return Optional.of("");
        }
        return switch (program) {
            case "echo" -> echo(given, state);
            case "printf" -> printed(given.stream().dropWhile("--"::equals).toList());
            case "pwd" -> Optional.of(evaluator.expander.way(state.folder) + "\n");
            case "which", "type", "command" -> given.isEmpty() ? Optional.of("") : Optional.of(given.getLast() + "\n");
            case "cat" -> cat(given, input, state, evaluator);
            case "tee" -> {
                given.stream()
                        .filter(word -> !word.startsWith("-"))
                        .forEach(file -> state.files.put(evaluator.targets().key(file, state), input));
                yield Optional.of(input);
            }
            case "base64" ->
                decodes(given) && !hasFiles(given) ? known(input).flatMap(Filters::fromBase64) : Optional.empty();
            case "xxd" ->
                decodes(given) && !hasFiles(given) ? known(input).flatMap(Filters::fromHex) : Optional.empty();
            case "rev" -> given.isEmpty() ? known(input).map(Filters::reversed) : Optional.empty();
            case "tac" ->
                given.isEmpty() ? known(input).filter(text -> text.lines().count() < 2) : Optional.empty();
            case "sort", "uniq" ->
                given.isEmpty() ? known(input).filter(text -> text.lines().count() < 2) : Optional.empty();
            case "tr" -> known(input).flatMap(text -> Translation.of(given, text));
            case "dirname" ->
                path(given, evaluator)
                        .map(path -> path.replaceFirst("/+[^/]*/*$", ""))
                        .map(up -> (up.isEmpty() ? "/" : up) + "\n");
            case "realpath" ->
                path(given, evaluator).map(path -> evaluator.targets().key(path, state) + "\n");
            case "basename" ->
                given.size() == 1 && !Marks.any(given.getFirst())
                        ? Optional.of(given.getFirst().replaceFirst("/+$", "").replaceFirst("^.*/", "") + "\n")
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Returns the only word, if it is a path of which all is known.
    private static Optional<String> path(List<String> given, Evaluator evaluator) {
        return given.size() == 1
                ? known(evaluator.surroundings().folderOf(given.getFirst())).filter(path -> path.indexOf('/') >= 0)
                : Optional.empty();
    }

    private static Optional<String> known(String input) {
        return Marks.any(input) ? Optional.empty() : Optional.of(input);
    }

    private static boolean decodes(List<String> words) {
        return words.stream().anyMatch(word -> DECODING.matcher(word).matches());
    }

    private static String reversed(String text) {
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> lines.add(new StringBuilder(line).reverse().toString()));
        return String.join("\n", lines) + "\n";
    }

    private static Optional<String> echo(List<String> given, State state) {
        int at = 0;
        boolean escapes = false;
        boolean ends = true;
        while (at < given.size() && ECHO_OPTION.matcher(given.get(at)).matches()) {
            String option = given.get(at++);
            ends &= option.indexOf('n') < 0;
            escapes = option.indexOf('e') > option.indexOf('E') || (escapes && option.indexOf('E') < 0);
        }
        String text = String.join(" ", given.subList(at, given.size()));
        boolean unclear =
                text.indexOf('\\') >= 0 && (state.options.contains("posix") || state.options.contains("xpg_echo"));
        if (unclear) {
            return Optional.of(Marks.MADE);
        }
        return Optional.of((escapes ? AnsiQuotes.decodeEcho(text) : text) + (ends ? "\n" : ""));
    }

    private static Optional<String> cat(List<String> given, String input, State state, Evaluator evaluator) {
        if (given.stream().anyMatch(word -> word.length() > 1 && word.startsWith("-"))) {
            return Optional.empty();
        }
        if (given.isEmpty()) {
            return Optional.of(input);
        }
        StringBuilder all = new StringBuilder();
        for (String file : given) {
            Optional<String> content = file.equals("-")
                    ? Optional.of(state.input.takeAll())
                    : evaluator.targets().stream(file, state).map(Input::takeAll);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            all.append(content.get());
        }
        return Optional.of(all.toString());
    }

    /// `printf` uses its format again while there are arguments. What it cuts or counts is not followed.
    private static Optional<String> printed(List<String> arguments) {
        if (arguments.isEmpty()) {
            return Optional.of("");
        }
        String format = AnsiQuotes.decode(arguments.getFirst());
        List<String> values = arguments.subList(1, arguments.size());
        StringBuilder out = new StringBuilder();
        int next = 0;
        for (int round = 0; round == 0 || next < values.size(); round++) {
            int before = next;
            Matcher matcher = CONVERSION.matcher(format);
            int end = 0;
            while (matcher.find()) {
                out.append(format, end, matcher.start());
                end = matcher.end();
                String kind = matcher.group(2);
                if (kind.equals("%")) {
                    out.append('%');
                    continue;
                }
                String value = next < values.size() ? values.get(next) : "";
                next++;
                Optional<String> shown = converted(kind, value);
                if (!matcher.group(1).isEmpty() || shown.isEmpty()) {
                    return Optional.of(Marks.MADE);
                }
                out.append(shown.get());
            }
            out.append(format, end, format.length());
            if (before == next) {
                break;
            }
            if (round > MOST_ROUNDS) {
                return Optional.of(Marks.MADE);
            }
        }
        return Optional.of(out.toString());
    }

    private static Optional<String> converted(String kind, String value) {
        return switch (kind) {
            case "s" -> Optional.of(value);
            case "b" -> Optional.of(AnsiQuotes.decodeEcho(value));
            case "d", "i", "u" -> value.matches("-?[1-9]\\d*|0") ? Optional.of(value) : Optional.empty();
            case "c" -> Marks.any(value) ? Optional.empty() : Optional.of(value.isEmpty() ? "" : value.substring(0, 1));
            case "q" -> value.matches("[\\w./-]+") ? Optional.of(value) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> fromBase64(String text) {
        try {
            return Optional.of(new String(Base64.getMimeDecoder().decode(text.strip()), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> fromHex(String text) {
        try {
            return Optional.of(new String(HexFormat.of().parseHex(text.replaceAll("\\s", "")), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
