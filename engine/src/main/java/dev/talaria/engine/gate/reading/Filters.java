package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Computes what programs print, if their arguments and their input determine it exactly.
final class Filters {
    /// Programs that print nothing unless something fails.
    private static final Set<String> SILENT = Words.set("""
            cd : true false export set shift unset trap rm mkdir touch chmod chown cp mv ln sleep wait read test [ exit
            return break continue umask kill exec rmdir truncate sync disown bg
            """);

    /// Programs that read all of their input if no file is named.
    private static final Set<String> READING = Words.set("""
            cat tee tr rev base64 base32 sort uniq wc xxd tac nl fold column paste shuf sponge od hexdump cut iconv
            openssl gzip gunzip zcat md5sum sha256sum jq grep egrep fgrep bc dc awk gawk mawk sed head tail xargs fmt
            pr expand unexpand pv strings join comm tsort csplit zstd unzstd zstdcat bzip2 bunzip2 bzcat xz unxz xzcat
            lz4 uudecode basenc col colrm ts less more most yq nawk ul recode dos2unix unix2dos gpg buffer mbuffer
            cstream stdbuf ptx jo rg ag zgrep split
            """);

    private static final Pattern ECHO_OPTION = Pattern.compile("-[neE]+");
    private static final Pattern DECODING = Pattern.compile("-d|-D|--decode");
    private static final Pattern FROM_HEX = Pattern.compile("-r|-p|-ps|-rp|-plain|-revert");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

    /// Silent programs with options that make them print something.
    private static final Pattern TELLING =
            Pattern.compile("(?:rm|mkdir|chmod|chown|cp|mv|ln|rmdir) (?:-[a-zA-Z]*v.*|--(?:v|deb).*)|"
                    + "ch(?:mod|own) (?:-[a-zA-Z]*c.*|--ch.*)|(?:kill|trap|export|umask) -[lLpS].*|kill --list.*|cd -");

    private static final Set<String> TELLING_ALONE = Set.of("export", "set", "trap", "umask");

    /// Escapes that not every `printf` and `echo` knows.
    private static final Pattern ODD_ESCAPE = Pattern.compile("\\\\(?![nt\\\\])");

    /// Programs that may stop before the end of their input, and leave the rest to others.
    private static final Set<String> LEAVING = Set.of("head", "grep", "egrep", "fgrep", "sed", "awk", "gawk", "mawk");

    private Filters() {}

    static boolean reads(String program, List<String> arguments) {
        return READING.contains(program) && !(program.equals("cat") && hasFiles(arguments));
    }

    private static boolean hasFiles(List<String> arguments) {
        return arguments.stream().anyMatch(word -> !word.startsWith("-"));
    }

    /// Returns whether a program's arguments alone may determine what it prints.
    static boolean makes(String program, List<String> arguments) {
        return EchoingPrograms.makes(program, arguments);
    }

    /// Returns what a program prints; nothing if that is not known.
    ///
    /// @param given the program's words
    /// @param input the program's input
    static Optional<String> output(String program, List<String> given, String input, State state, Evaluator evaluator) {
        if (SILENT.contains(program)) {
            boolean tells = given.stream()
                            .anyMatch(word -> word.startsWith("-")
                                    && TELLING.matcher(program + " " + word).matches())
                    || (given.isEmpty() && TELLING_ALONE.contains(program));
            return Optional.of(tells ? UnknownValues.MADE : "");
        }
        if (LEAVING.contains(program)
                && !input.equals(ShellContext.TYPED)
                && !evaluator.findings.marks.ordinary(input)) {
            state.input.rest(input.isEmpty() ? state.input.rest() : UnknownValues.MADE);
        }
        Optional<String> told = told(program, given, input, state, evaluator);
        return told.isEmpty() && EchoingPrograms.of(program, given, state, evaluator)
                ? Optional.of(evaluator.findings.marks.unknown(UnknownValues.Kind.MADE, "$(" + program + ")"))
                : told;
    }

    private static Optional<String> told(
            String program, List<String> given, String input, State state, Evaluator evaluator) {
        return switch (program) {
            case "echo" -> echo(given, state);
            case "printf" -> Optional.of(unclear(given, state) ? UnknownValues.MADE : PrintfOutput.of(given));
            case "pwd" -> Optional.of(evaluator.expander.way(state.folder) + "\n");
            case "which", "command" -> found(given, state);
            case "type" -> Optional.of(given.isEmpty() ? "" : UnknownValues.MADE);
            case "cat" -> cat(given, input, state, evaluator);
            case "tee" -> {
                boolean plain = given.stream().noneMatch(word -> word.startsWith("-"));
                given.stream()
                        .filter(word -> !word.startsWith("-"))
                        .forEach(file -> state.files.put(
                                evaluator.targets.key(file, state), plain ? input : UnknownValues.MADE));
                yield Optional.of(input);
            }
            case "base64" -> only(DECODING, given) ? known(input).flatMap(Filters::fromBase64) : Optional.empty();
            case "xxd" -> only(FROM_HEX, given) ? known(input).flatMap(Filters::fromHex) : Optional.empty();
            case "rev" ->
                given.isEmpty() ? known(input).filter(PlainText::ascii).map(Filters::reversed) : Optional.empty();
            case "tac", "sort", "uniq" ->
                given.isEmpty() ? known(input).filter(text -> text.lines().count() < 2) : Optional.empty();
            case "tr" -> known(input).flatMap(text -> Translation.of(given, text));
            case "dirname" ->
                path(given, evaluator)
                        .map(path -> path.replaceFirst("/+[^/]*/*\\z", ""))
                        .map(up -> (up.isEmpty() ? "/" : up) + "\n");
            case "realpath" -> path(given, evaluator).map(path -> evaluator.targets.key(path, state) + "\n");
            case "basename" -> base(given);
            case "printenv" ->
                given.size() == 1 ? state.text(given.getFirst()).map(text -> text + "\n") : Optional.empty();
            default -> Optional.empty();
        };
    }

    /// Returns the only word, if it is a path that is completely known.
    private static Optional<String> path(List<String> given, Evaluator evaluator) {
        return given.size() == 1
                ? known(evaluator.surroundings.folderOf(given.getFirst())).filter(path -> path.indexOf('/') >= 0)
                : Optional.empty();
    }

    private static Optional<String> known(String input) {
        return UnknownValues.any(input) ? Optional.empty() : Optional.of(input);
    }

    private static boolean only(Pattern options, List<String> words) {
        return !words.isEmpty()
                && words.stream().allMatch(word -> options.matcher(word).matches());
    }

    /// Returns the path that `which` and `command -v` print. If a function has a path as its name,
    /// the program may not be the one that runs.
    private static Optional<String> found(List<String> given, State state) {
        boolean odd = given.size() > 2
                || (given.size() == 2 && !given.getFirst().matches("-[vp]"))
                || state.functions.keySet().stream().anyMatch(name -> name.indexOf('/') >= 0);
        return Optional.of(given.isEmpty() ? "" : odd ? UnknownValues.MADE : given.getLast() + "\n");
    }

    private static Optional<String> base(List<String> given) {
        if (given.stream().anyMatch(UnknownValues::any)) {
            return Optional.empty();
        }
        if (given.isEmpty() || given.size() > 2 || given.getFirst().startsWith("-")) {
            return Optional.of(UnknownValues.MADE);
        }
        String path = given.getFirst().replaceFirst("/+\\z", "");
        String name = path.substring(path.lastIndexOf('/') + 1);
        String end = given.size() == 2 ? given.getLast() : "";
        boolean cut = !name.equals(end) && name.endsWith(end);
        return Optional.of((cut ? name.substring(0, name.length() - end.length()) : name) + "\n");
    }

    /// Returns whether words contain escapes that not all shells know.
    private static boolean unclear(List<String> given, State state) {
        return (state.options.contains("posix") || state.options.contains("xpg_echo"))
                && given.stream().anyMatch(word -> ODD_ESCAPE.matcher(word).find());
    }

    private static String reversed(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            lines.add(new StringBuilder(line).reverse().toString());
        }
        return String.join("\n", lines);
    }

    private static Optional<String> echo(List<String> given, State state) {
        int at = 0;
        boolean escapes = false;
        boolean ends = true;
        while (at < given.size() && ECHO_OPTION.matcher(given.get(at)).matches()) {
            String option = given.get(at++);
            ends &= option.indexOf('n') < 0;
            int last = Math.max(option.lastIndexOf('e'), option.lastIndexOf('E'));
            escapes = last < 0 ? escapes : option.charAt(last) == 'e';
        }
        String text = String.join(" ", given.subList(at, given.size()));
        boolean unclear =
                text.indexOf('\\') >= 0 && (state.options.contains("posix") || state.options.contains("xpg_echo"));
        if (unclear) {
            return Optional.of(UnknownValues.MADE);
        }
        String end = ends ? "\n" : "";
        return Optional.of(
                escapes ? AnsiQuotes.echoed(text).map(shown -> shown + end).orElse(UnknownValues.MADE) : text + end);
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
                    ? Optional.of((all.indexOf(input) < 0 ? input : "") + state.input.takeAll())
                    : evaluator.targets.stream(file, state).map(Input::takeAll);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            all.append(content.get());
        }
        return Optional.of(all.toString());
    }

    private static Optional<String> fromBase64(String text) {
        String letters = text.replace("\n", "");
        return BASE64.matcher(letters).matches() && letters.length() % 4 == 0
                ? text(Base64.getDecoder().decode(letters))
                : Optional.empty();
    }

    private static Optional<String> fromHex(String text) {
        try {
            return text(HexFormat.of().parseHex(text.replaceAll("\\s", "")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Returns bytes as a text, if they are ordinary UTF-8.
    private static Optional<String> text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf('\ufffd') >= 0 || text.indexOf('\0') >= 0
                ? Optional.empty()
                : Optional.of(UnknownValues.without(text));
    }
}
