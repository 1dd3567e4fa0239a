package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.gate.reading.Commands.Lookup;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads programs that build a command from other words: `xargs`, `parallel`, `find -exec`.
final class ArgumentRunners {
    private static final int MOST_WORDS = 20_000;
    private static final int MOST_GROUPS = 500;
    private static final char BLANK = '\u0001'; // stands for a blank that separates nothing
    private static final char TAB = '\u0002';
    private static final Set<String> EXECS = Set.of("-exec", "-execdir", "-ok", "-okdir");
    private static final List<String> XARGS_NAMES = Words.list("""
            arg-file: delimiter: eof? replace? max-lines? max-args: max-procs: max-chars: process-slot-var: null
            interactive no-run-if-empty verbose exit open-tty help version show-limits
            """);

    private static final String PARALLEL_LETTERS = "jINnaSPdCLsM/kXmqtu0vrhV";
    private static final List<String> PARALLEL_NAMES = Words.list("""
            jobs: max-procs: keep-order bar eta progress colsep: delimiter: halt: halt-on-error: dry-run line-buffer
            linebuffer lb ungroup group tag results: joblog: resume resume-failed retries: timeout: delay: load:
            memfree: nice: sshlogin: workdir: wd: env: pipe block: arg-file: max-args: max-lines: max-replace-args:
            xargs null verbose will-cite silent quote shuf link no-run-if-empty trim: tmpdir: plain help version
            """);

    private final Evaluator evaluator;
    private final Findings findings;
    private final Runners runners;

    ArgumentRunners(Evaluator evaluator, Runners runners) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.runners = runners;
    }

    /// Runs the command of `xargs`. Its input becomes words of that command.
    Outcome xargs(Call call) {
        findings.compounded();
        Options options = Options.of(runners.known(call.arguments()), "EILPadnsi?e?l?/0oprtx", XARGS_NAMES);
        List<String> rest = options.rest().isEmpty() ? List.of("echo") : options.rest();
        runners.ifUnclear("xargs", options);
        String input = options.value("a", "arg-file")
                .map(file -> evaluator.targets.content(file, call.state()).orElse(UnknownValues.ORDINARY))
                .orElseGet(() -> call.state().input.takeAll().replace(ShellContext.TYPED, ""));
        Optional<String> place = options.value("I", "i", "replace").map(text -> text.isEmpty() ? "{}" : text);
        boolean lines = place.isPresent() || options.has("d", "delimiter", "0", "null", "L", "l");
        if (input.length() > MOST_WORDS) {
            findings.giveUp("xargs is given too much to be checked");
        }
        List<String> items = items(input, lines, options);
        if (place.isPresent()) {
            Outcome outcome = Outcome.SILENT;
            for (String item : items.isEmpty() ? List.of("") : items) {
                outcome = runners.dispatch(
                        rest.stream()
                                .map(word -> word.replace(place.get(), item))
                                .toList(),
                        call,
                        Lookup.PROGRAMS);
            }
            return outcome;
        }
        List<List<String>> groups = groups(input, items, options);
        if (groups.size() > MOST_GROUPS) {
            findings.unknown("It has xargs run something more often than can be followed.");
        }
        groups.stream().limit(MOST_GROUPS).forEach(group -> {
            List<String> some = new ArrayList<>(rest);
            some.addAll(group);
            var _ = runners.dispatch(some, call, Lookup.PROGRAMS);
        });
        List<String> words = new ArrayList<>(rest);
        words.addAll(items);
        boolean shell = Programs.shell(Programs.name(rest.getFirst()))
                && findings.marks.has(input, UnknownValues.Kind.ORDINARY);
        boolean text = rest.stream().anyMatch(word -> word.matches("-[a-z]*c")) && rest.size() > 2;
        boolean reads = rest.size() == 2 && rest.getLast().equals("-n"); // a shell that only checks the syntax
        if (shell && !text && !reads) {
            findings.unknown("A shell runs a text that cannot be told beforehand.");
        }
        if (rest.size() < words.size()) {
            var _ = runners.dispatch(rest, call, Lookup.PROGRAMS);
        }
        return runners.dispatch(words, call, Lookup.PROGRAMS);
    }

    /// Returns the words of each run of the program, if `xargs` runs it more than once.
    private List<List<String>> groups(String input, List<String> items, Options options) {
        Optional<String> lines = options.value("L", "l", "max-lines");
        Optional<String> most = options.value("n", "max-args");
        boolean cut = options.has("s", "max-chars", "E", "e", "eof");
        boolean odd = Stream.of(lines, most)
                .flatMap(Optional::stream)
                .anyMatch(count -> !count.isEmpty() && !count.matches("[1-9]\\d{0,4}"));
        if (cut || odd) {
            return input.isEmpty() ? List.of() : List.of(List.of(findings.marks.blurred(input)));
        }
        if (lines.isPresent()) {
            List<List<String>> each = Stream.of(input.split("\n", -1))
                    .map(ArgumentRunners::words)
                    .filter(words -> !words.isEmpty())
                    .toList();
            return together(each, lines.get().isEmpty() ? 1 : Integer.parseInt(lines.get()));
        }
        return most.map(count -> together(items.stream().map(List::of).toList(), Integer.parseInt(count)))
                .orElse(List.of());
    }

    /// Joins every `count` groups into one group.
    private static List<List<String>> together(List<List<String>> each, int count) {
        List<List<String>> joined = new ArrayList<>();
        for (int i = 0; i < each.size(); i += count) {
            joined.add(each.subList(i, Math.min(each.size(), i + count)).stream()
                    .flatMap(List::stream)
                    .toList());
        }
        return joined;
    }

    /// Splits the input of xargs into words, in which quotes count, or into lines.
    private List<String> items(String input, boolean lines, Options options) {
        Optional<String> sign = options.has("0", "null") ? Optional.of("\0") : options.value("d", "delimiter");
        if (sign.isPresent()) {
            String by = sign.get().equals("\\n") ? "\n" : sign.get().equals("\\0") ? "\0" : sign.get();
            boolean cut = by.equals("\0") && input.indexOf('\0') < 0; // NUL characters may have been lost on the way
            if (by.length() != 1 || cut) {
                return input.isEmpty() ? List.of() : List.of(findings.marks.blurred(input));
            }
            return Stream.of(input.split(Pattern.quote(by), -1))
                    .filter(item -> !item.isEmpty())
                    .toList();
        }
        if (lines) {
            return Stream.of(input.split("\n", -1))
                    .map(ArgumentRunners::unquoted)
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
        return words(input);
    }

    /// Returns a line as xargs inserts it: without its quotes.
    private static String unquoted(String line) {
        String bare = line.stripLeading();
        if (bare.indexOf('"') < 0 && bare.indexOf('\'') < 0 && bare.indexOf('\\') < 0) {
            return bare;
        }
        String kept = bare.replace(' ', BLANK).replace('\t', TAB);
        return String.join("", words(kept)).replace(BLANK, ' ').replace(TAB, '\t');
    }

    private static List<String> words(String input) {
        List<String> items = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false;
        char quote = '\0';
        for (int i = 0; i < input.length(); i++) {
            char c = input.charAt(i);
            boolean blank = quote == '\0' && (c == ' ' || c == '\t' || c == '\n' || c == '\0');
            if (blank && open) {
                items.add(word.toString());
                word.setLength(0);
                open = false;
            } else if (!blank) {
                open = true;
                if (quote == '\0' && (c == '\'' || c == '"')) {
                    quote = c;
                } else if (quote != '\0' && c == quote) {
                    quote = '\0';
                } else if (c == '\\' && quote == '\0' && i + 1 < input.length()) {
                    word.append(input.charAt(++i));
                } else {
                    word.append(c);
                }
            }
        }
        if (open) {
            items.add(word.toString());
        }
        return items;
    }

    Outcome parallel(Call call) {
        findings.compounded();
        List<String> words = call.arguments();
        int given = words.indexOf(":::");
        List<String> items = given >= 0
                ? words.subList(given + 1, words.size())
                : List.of(call.state()
                        .input
                        .takeAll()
                        .replace(ShellContext.TYPED, "")
                        .strip());
        Options options = Options.of(given >= 0 ? words.subList(0, given) : words, PARALLEL_LETTERS, PARALLEL_NAMES);
        runners.ifUnclear("parallel", options);
        String command = String.join(" ", options.rest());
        Outcome outcome = Outcome.SILENT;
        for (String item : items) {
            outcome = runners.text(command.contains("{}") ? command.replace("{}", item) : command + " " + item, call);
        }
        return outcome;
    }

    void executed(Call call) {
        List<String> words = call.arguments();
        boolean fd = !Programs.name(call.first()).equals("find");
        for (int i = 0; i < words.size(); i++) {
            boolean runs = EXECS.contains(words.get(i))
                    || (fd && Set.of("-x", "-X", "--exec", "--exec-batch").contains(words.get(i)));
            if (!runs) {
                continue;
            }
            int end = i + 1;
            while (end < words.size()
                    && !words.get(end).equals(";")
                    && !(words.get(end).equals("+") && (fd || words.get(end - 1).equals("{}")))) {
                end++;
            }
            findings.compounded();
            String found = findings.marks.unknown(UnknownValues.Kind.ORDINARY, "{}");
            List<String> inner = words.subList(i + 1, end).stream()
                    .map(word -> word.replace("{}", found))
                    .toList();
            var _ = runners.dispatch(inner, call, Lookup.PROGRAMS);
            i = end;
        }
    }
}
