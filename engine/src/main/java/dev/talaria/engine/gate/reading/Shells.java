package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Evaluates shells that a command starts: `bash -c`, `sh -s`, `zsh script`.
final class Shells {
    /// Shells whose language differs from that of bash.
    private static final Set<String> FOREIGN =
            Set.of("csh", "tcsh", "fish", "rc", "es", "nu", "xonsh", "elvish", "zsh", "rzsh");

    /// Signs that usually mean something else in those shells than in bash.
    private static final Pattern OTHER = Pattern.compile("[$`\\\\!^(){}@%*?\\[]|(?:^|[\\s;&|])=");

    /// Long options that bash also accepts with one dash.
    private static final Set<String> LONG = Words.set("""
            norc noprofile rcfile login posix restricted verbose noediting debugger dump-strings dump-po-strings
            init-file debug wordexp pretty-print
            """);

    private static final Set<String> LONG_VALUES = Set.of("--rcfile", "--init-file", "--command", "--init-command");

    private final Evaluator evaluator;
    private final Findings findings;

    Shells(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
    }

    /// The options and arguments of a shell.
    private static final class ShellOptions {
        private boolean text;
        private boolean input;
        private boolean reads; // it only checks the syntax
        private boolean interactive;
        private final List<String> files = new ArrayList<>(); // it reads these files first
        private final List<String> options = new ArrayList<>(); // of `-o` and `-O`
        private Optional<String> command = Optional.empty();
        private List<String> rest = List.of();
    }

    Optional<Outcome> run(String program, Call call) {
        if (!Programs.shell(program)) {
            return Optional.empty();
        }
        findings.compounded();
        ShellOptions told = told(call);
        State child = call.state().child(findings.marks);
        child.set("0", program);
        if (program.equals("sh") || program.equals("dash") || program.equals("ash")) {
            child.options.add("posix");
        }
        if (told.reads && !told.interactive) {
            return Optional.of(Outcome.SILENT);
        }
        child.options.addAll(told.options);
        started(child, told);
        if (told.command.isPresent()) {
            List<String> rest = told.rest;
            rest.stream().findFirst().ifPresent(name -> child.set("0", name));
            child.arguments = rest.isEmpty() ? List.of() : List.copyOf(rest.subList(1, rest.size()));
            return Optional.of(text(program, told.command.get(), child, call.state()));
        }
        if (told.input || told.rest.isEmpty()) {
            child.arguments = List.copyOf(told.rest);
            if (child.input.rest().equals(ShellContext.TYPED)) {
                return Optional.of(Outcome.SILENT); // typed input is judged when somebody types it
            }
            return Optional.of(text(program, child.input.takeAll(), child, call.state()));
        }
        String file = told.rest.getFirst();
        List<String> arguments = told.rest.subList(1, told.rest.size());
        if (findings.marks.made(file)
                && evaluator.targets.content(file, call.state()).isEmpty()) {
            findings.unknown("A shell runs a file whose name cannot be told beforehand.");
        }
        return Optional.of(evaluator.targets.stream(file, call.state())
                .map(content -> {
                    if (content.rest().equals(ShellContext.TYPED)) {
                        return Outcome.SILENT;
                    }
                    child.arguments = List.copyOf(arguments);
                    return text(program, content.takeAll(), child, call.state());
                })
                .orElseGet(() -> Outcome.SILENT.printing(findings.marks.output(program))));
    }

    /// Runs a file of commands.
    Outcome script(String text, String name, List<String> arguments, State state) {
        State child = state.child(findings.marks);
        child.set("0", name);
        child.arguments = List.copyOf(arguments);
        return text("sh", text, child, state);
    }

    /// Runs the text of another shell, which has variables of its own.
    Outcome text(String program, String text, State child, State parent) {
        findings.compounded();
        if (FOREIGN.contains(program) && OTHER.matcher(text).find()) {
            findings.unknown("It is a program for " + program + ", which reads some signs in its own way.");
        }
        if (child.options.contains("posix") && ansiQuotes(text)) {
            findings.unknown("It quotes in a way that " + program + " may read otherwise.");
        }
        if (findings.marks.made(text)) {
            findings.unknown("A shell runs a text that cannot be told beforehand.");
        }
        Outcome outcome = evaluator.jumps.inShell(child, () -> evaluator.text(text, child));
        parent.effectsOf(child);
        return outcome;
    }

    /// Returns whether a text contains `$'...'`, which means something else to a plain shell.
    private static boolean ansiQuotes(String text) {
        if (text.indexOf('\\') < 0) {
            return false;
        }
        int quotes = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\'') {
                if (quotes % 2 == 0 && i > 0 && text.charAt(i - 1) == '$') {
                    return true;
                }
                quotes++;
            }
        }
        return false;
    }

    /// Runs the files that a shell reads when it starts.
    private void started(State child, ShellOptions told) {
        List<String> files = new ArrayList<>(told.files);
        child.text("BASH_ENV").filter(file -> !file.isEmpty()).ifPresent(files::add);
        child.text("ENV").filter(file -> !file.isEmpty()).ifPresent(files::add);
        for (String file : files) {
            Optional<String> content = evaluator.targets.content(file, child);
            if (content.isPresent()) {
                var _ = text("bash", content.get(), child, child);
            } else if (!file.equals("/dev/null")) {
                findings.unknown("A shell begins with the file " + evaluator.lines.word(file) + ".");
            }
        }
    }

    private ShellOptions told(Call call) {
        ShellOptions told = new ShellOptions();
        List<String> words = new ArrayList<>(call.arguments());
        int at = 0;
        while (at < words.size()) {
            String word = findings.marks.withoutUnset(words.get(at));
            if (word.isEmpty() && UnknownValues.any(words.get(at))) {
                words.remove(at);
                continue;
            }
            if (told.reads && UnknownValues.any(word) && !findings.marks.made(word)) {
                break; // a file that the shell only checks
            }
            if (UnknownValues.any(word) && !told.text) {
                boolean made = evaluator.targets.content(word, call.state()).isEmpty();
                if (!made) {
                    break; // <(...)
                }
                findings.unknown("A shell is given options that cannot be told beforehand.");
                at++;
                continue;
            }
            if (word.equals("--") || word.equals("-")) {
                at++;
                break;
            }
            boolean option = word.length() > 1 && (word.charAt(0) == '-' || word.charAt(0) == '+');
            if (!option) {
                break;
            }
            at++;
            if (word.startsWith("--") || LONG.contains(word.substring(1))) {
                at += longOption(word, words, at, told);
            } else {
                int more = letters(word, told);
                told.options.addAll(words.subList(Math.min(at, words.size()), Math.min(at + more, words.size())));
                at += more;
            }
        }
        at = Math.min(at, words.size());
        if (told.text && told.command.isEmpty() && at < words.size()) {
            told.command = Optional.of(words.get(at++));
        }
        told.rest = words.subList(at, words.size());
        return told;
    }

    /// Reads a long option, and returns how many more words it takes.
    private static int longOption(String word, List<String> words, int at, ShellOptions told) {
        int equals = word.indexOf('=');
        String dashes = word.startsWith("--") ? "" : "-";
        String name = dashes + (equals < 0 ? word : word.substring(0, equals));
        boolean takes = LONG_VALUES.contains(name);
        if (!takes) {
            return 0;
        }
        String value = equals > 0 ? word.substring(equals + 1) : at < words.size() ? words.get(at) : "";
        if (name.contains("command")) {
            told.command = Optional.of(told.command.map(before -> before + "\n").orElse("") + value);
        } else {
            told.files.add(value);
        }
        return equals > 0 ? 0 : 1;
    }

    private static int letters(String word, ShellOptions told) {
        int more = 0;
        for (int i = 1; i < word.length(); i++) {
            char letter = word.charAt(i);
            told.text |= letter == 'c';
            told.input |= letter == 's';
            if (letter == 'n' || (letter == 'o' && word.charAt(0) == '+')) { // +n, +o noexec
                told.reads = letter == 'n' && word.charAt(0) == '-';
            }
            told.interactive |= letter == 'i';
            more += letter == 'o' || letter == 'O' ? 1 : 0;
        }
        return more;
    }
}
