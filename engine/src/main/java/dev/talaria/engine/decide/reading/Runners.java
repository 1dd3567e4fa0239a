package dev.talaria.engine.decide.reading;

import dev.talaria.engine.decide.reading.Commands.Call;
import dev.talaria.engine.decide.reading.Commands.Lookup;
import dev.talaria.engine.decide.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Programs that run others: with their words (`sudo`, `xargs`, `find -exec`) or as a shell's text (`su -c`, `watch`).
final class Runners {
    private static final int MOST = 16;
    private static final Pattern MEASURING_VALUES =
            Pattern.compile("-[wmMrPDLnu]|--(?:warmup|min-runs|max-runs|runs|parameter-\\S+|style|sort|command-name"
                    + "|time-unit|export-\\w+|output|input|min-benchmarking-time)");
    private static final String SSH_VALUES = "bcDEeFIiJLlmOopQRSWw";
    private final Evaluator evaluator;
    private final Findings findings;
    private final Commands commands;
    private final Shells shells;
    private final ArgumentRunners arguments;
    private final Languages languages;
    private int wrapped;

    Runners(Evaluator evaluator, Commands commands, Shells shells) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.commands = commands;
        this.shells = shells;
        this.arguments = new ArgumentRunners(evaluator, this);
        this.languages = new Languages(evaluator, this);
    }

    Optional<Outcome> run(String program, Call call) {
        Optional<Wrappers.Wrapper> wrapper = Wrappers.of(program);
        if (wrapper.isPresent()) {
            return Optional.of(wrapped(program, wrapper.get(), call));
        }
        List<String> words = call.arguments();
        return switch (program) {
            case "xargs" -> Optional.of(arguments.xargs(call));
            case "parallel" -> Optional.of(arguments.parallel(call));
            case "find", "fd", "fdfind" -> arguments.executed(call);
            case "su", "runuser" -> Optional.of(su(call));
            case "sg" -> Optional.of(text(last(words, 1), call));
            case "newgrp" -> Optional.of(text(call.state().input.takeAll(), call));
            case "script" -> Optional.of(script(call));
            case "flock" -> Optional.of(flock(call));
            case "watch", "entr" -> Optional.of(watch(program, call));
            case "hyperfine" -> Optional.of(measured(call));
            case "ssh", "mosh" -> Optional.of(ssh(call));
            case "at", "batch" -> Optional.of(text(call.state().input.takeAll(), call));
            case "start-stop-daemon" -> Optional.of(daemon(words, call));
            case "tmux", "screen" -> Optional.of(multiplexed(words, call));
            case "nc", "ncat", "socat" -> Optional.of(network(words, call));
            case "vi", "vim", "nvim", "ed", "ex", "sed" -> languages.edited(program, words, call);
            case "make", "gmake", "ninja" -> Optional.of(languages.made(words, call.state()));
            case "tclsh",
                    "expect",
                    "wish",
                    "guile",
                    "sbcl",
                    "clisp",
                    "racket",
                    "julia",
                    "octave",
                    "ocaml",
                    "ghci",
                    "scala",
                    "groovy",
                    "jshell",
                    "erl",
                    "elixir",
                    "emacs",
                    "gdb",
                    "lldb",
                    "m4",
                    "swipl",
                    "gnuplot",
                    "sqlite3",
                    "psql",
                    "mysql",
                    "mariadb",
                    "tcl" -> Optional.of(languages.foreign(program, words, call));
            case "nix-shell", "nix" -> after(words, Set.of("--run", "--command", "-c"), call);
            case "uv", "poetry", "pipenv", "pdm", "bundle", "conda", "mise", "direnv", "npm", "npx", "pnpm", "yarn" ->
                delegated(program, words, call);
            default -> languages.code(program, words, call);
        };
    }

    /// Goes through a text that another shell runs.
    Outcome text(String text, Call call) {
        findings.compounded();
        if (text.equals(Surroundings.TYPED)) {
            return Outcome.nothing(Status.MAYBE); // what is typed into it is judged when it is
        }
        State child = call.state().child();
        return shells.text("sh", text, child, call.state());
    }

    private static String last(List<String> words, int from) {
        return String.join(" ", words.subList(Math.min(from, words.size()), words.size()))
                .replaceFirst("^-c ", "");
    }

    /// Goes through a command that is run with its words.
    Outcome dispatch(List<String> words, Call call, Lookup lookup) {
        if (++wrapped > MOST) {
            findings.giveUp("more than " + MOST + " programs in it do nothing but run the next");
        }
        Outcome outcome = words.isEmpty() || findings.over()
                ? Outcome.nothing(Status.MAYBE)
                : commands.dispatch(call.with(words, lookup));
        wrapped--;
        return outcome;
    }

    private Outcome wrapped(String program, Wrappers.Wrapper wrapper, Call call) {
        Options options = Options.of(known(call.arguments()), wrapper.letters(), wrapper.names());
        if (options.unclear()) {
            findings.unknown(
                    "It gives " + program + " an option that is not known, so that what it runs is not clear.");
        }
        boolean nothing =
                options.found().stream().anyMatch(option -> wrapper.not().contains(option.name()))
                        && !(program.equals("sudo") && options.has("e"));
        if (nothing && !options.unclear()) {
            return Outcome.nothing(Status.MAYBE)
                    .printing(
                            program.equals("command")
                                    ? found(options)
                                    : findings.marks.unknown(Marks.Kind.ORDINARY, "$(" + program + ")"));
        }
        List<String> rest = options.rest();
        State state = call.state();
        State before = state.copy();
        if (program.equals("env") || program.equals("sudo")) {
            options.value("C", "D", "chdir")
                    .ifPresent(folder -> state.folder = evaluator.targets().key(folder, state));
            rest = withoutAssignments(rest, call);
        }
        if (program.equals("env")) {
            Optional<String> split = options.value("S", "split-string");
            if (split.isPresent()) {
                String more = String.join(
                        " ", options.rest().stream().map(Runners::quoted).toList());
                if (split.get().indexOf('\\') >= 0) {
                    findings.unknown("It has env take a text apart in its own way.");
                }
                Outcome outcome = text("env " + split.get() + " " + more, call);
                restore(state, before);
                return outcome;
            }
        }
        rest = rest.subList(Math.min(wrapper.positionals(), rest.size()), rest.size());
        Outcome outcome;
        if (rest.isEmpty()) {
            boolean shell = wrapper.shell() && !wrapper.not().stream().anyMatch(options::has);
            outcome = shell ? text(state.input.takeAll(), call) : Outcome.nothing(Status.MAYBE);
            if (program.equals("env")) {
                outcome = outcome.printing(Marks.ORDINARY);
            }
        } else {
            boolean builtin = program.equals("command") || program.equals("builtin");
            outcome = dispatch(rest, call, builtin ? Lookup.BUILTINS_AND_PROGRAMS : Lookup.PROGRAMS);
            if (options.has("s", "i", "shell", "login") && program.equals("sudo")) {
                var _ = text(String.join(" ", rest), call);
            }
        }
        if (!program.equals("command") && !program.equals("builtin")) {
            restore(state, before);
        }
        return outcome;
    }

    /// What was set for the program alone is as it was before.
    private static void restore(State state, State before) {
        State after = state.copy();
        state.take(before);
        state.effectsOf(after);
    }

    private static String found(Options options) {
        return options.rest().isEmpty() ? "" : options.rest().getLast();
    }

    /// Words that are most likely not there are left out.
    List<String> known(List<String> words) {
        return words.stream()
                .filter(word ->
                        !Marks.any(word) || !findings.marks.withoutUnset(word).isEmpty())
                .toList();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /// Returns the words behind `NAME=value`, whatever the name; those are set for what is run.
    private List<String> withoutAssignments(List<String> words, Call call) {
        int at = 0;
        while (at < words.size()
                && (words.get(at).indexOf('=') >= 0 || words.get(at).equals("-"))) {
            String word = words.get(at);
            if (word.startsWith("BASH_FUNC_")) {
                findings.unknown("It hands a shell a function through the environment.");
            }
            Settings.of(word)
                    .ifPresent(text -> evaluator.text(text, call.state().child()));
            if (word.equals("-")) {
                at++;
                continue;
            }
            String name = word.substring(0, word.indexOf('='));
            String value = word.substring(word.indexOf('=') + 1);
            if ((name.equals("BASH_ENV") || name.equals("ENV")) && !value.isEmpty()) {
                findings.unknown("It has a shell begin with a file.");
            }
            if (call.state().variables.containsKey(name) || Programs.assignment(word)) {
                call.state().exported.add(name);
                call.state()
                        .set(
                                name,
                                findings.marks.choice(
                                        List.of(value, call.state().text(name).orElse(""))));
            }
            findings.compounded();
            at++;
        }
        return words.subList(at, words.size());
    }

    private Outcome su(Call call) {
        Options options = Options.of(
                permuted(call.arguments(), "cCsgGwT"),
                "cCsgGwT",
                List.of(
                        "command:",
                        "session-command:",
                        "shell:",
                        "group:",
                        "supp-group:",
                        "whitelist-environment:",
                        "login",
                        "fast",
                        "preserve-environment",
                        "pty",
                        "user:",
                        "help",
                        "version"));
        if (options.unclear()) {
            findings.unknown("It gives su an option that is not known, so that what it runs is not clear.");
        }
        Optional<String> command = options.value("c", "C", "command", "session-command");
        if (command.isPresent()) {
            return text(command.get(), call);
        }
        boolean user = call.arguments().stream().anyMatch(word -> word.equals("-u") || word.startsWith("--user"));
        if (user) {
            List<String> rest = Options.of(call.arguments(), "ucCsgGwT", List.of("user:", "shell:"))
                    .rest();
            return dispatch(rest, call, Lookup.PROGRAMS);
        }
        return text(call.state().input.takeAll(), call);
    }

    /// Puts options in front of the other words, as GNU programs read them.
    static List<String> permuted(List<String> words, String letters) {
        List<String> front = new ArrayList<>();
        List<String> back = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--")) {
                back.addAll(words.subList(i, words.size()));
                break;
            }
            boolean option = word.length() > 1 && word.startsWith("-");
            (option ? front : back).add(word);
            boolean takes = option && !word.startsWith("--") && letters.indexOf(word.charAt(word.length() - 1)) >= 0;
            boolean longTakes = word.startsWith("--")
                    && word.indexOf('=') < 0
                    && word.length() > 3
                    && List.of("--command", "--session-command", "--shell", "--group", "--user").stream()
                            .anyMatch(name -> name.startsWith(word));
            if ((takes || longTakes) && i + 1 < words.size()) {
                front.add(words.get(++i));
            }
        }
        front.addAll(back);
        return front;
    }

    private Outcome script(Call call) {
        Options options = Options.of(
                permuted(call.arguments(), "cEIOBTmo"),
                "cEIOBTmo",
                List.of(
                        "command:",
                        "echo:",
                        "log-in:",
                        "log-out:",
                        "log-io:",
                        "log-timing:",
                        "logging-format:",
                        "output-limit:",
                        "append",
                        "return",
                        "flush",
                        "force",
                        "quiet",
                        "timing?",
                        "help",
                        "version"));
        Optional<String> command = options.value("c", "command");
        return text(command.orElseGet(() -> call.state().input.takeAll()), call);
    }

    private Outcome flock(Call call) {
        Options options = Options.of(
                call.arguments(),
                "wEc",
                List.of(
                        "timeout:",
                        "wait:",
                        "conflict-exit-code:",
                        "command:",
                        "shared",
                        "exclusive",
                        "unlock",
                        "nonblock",
                        "nb",
                        "close",
                        "no-fork",
                        "verbose",
                        "help",
                        "version"));
        List<String> rest = options.rest().isEmpty()
                ? List.of()
                : options.rest().subList(1, options.rest().size());
        if (rest.size() > 1 && (rest.getFirst().equals("-c") || rest.getFirst().startsWith("--c"))) {
            return text(rest.get(1), call);
        }
        options.value("c", "command").ifPresent(command -> text(command, call));
        return dispatch(rest, call, Lookup.PROGRAMS);
    }

    private Outcome watch(String program, Call call) {
        Options options = Options.of(call.arguments(), program.equals("watch") ? "nq" : "", List.of("interval:"));
        return text(String.join(" ", options.rest()), call);
    }

    /// `hyperfine --runs 3 'make a' 'make b'`
    private Outcome measured(Call call) {
        List<String> words = call.arguments();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (MEASURING_VALUES.matcher(word).matches()) {
                i++;
            } else if (!word.startsWith("-")) {
                var _ = text(word, call); // those behind --prepare and its like, too
            } else if (word.indexOf('=') > 0) {
                var _ = text(word.substring(word.indexOf('=') + 1), call);
            }
        }
        return Outcome.nothing(Status.MAYBE);
    }

    private Outcome ssh(Call call) {
        Options options = Options.of(call.arguments(), SSH_VALUES, List.of());
        options.values("o").stream()
                .filter(value -> value.matches("(?i)(?:ProxyCommand|LocalCommand)[= ].*"))
                .forEach(value -> text(value.replaceFirst("(?i)^\\w+[= ]", ""), call));
        List<String> rest = options.rest().isEmpty()
                ? List.of()
                : options.rest().subList(1, options.rest().size());
        return text(rest.isEmpty() ? call.state().input.takeAll() : String.join(" ", rest), call);
    }

    private Outcome daemon(List<String> words, Call call) {
        int dashes = words.indexOf("--");
        for (String option : List.of("--exec", "-x", "--startas", "-a")) {
            int at = words.indexOf(option);
            if (at >= 0 && at + 1 < words.size()) {
                List<String> inner = new ArrayList<>(List.of(words.get(at + 1)));
                inner.addAll(dashes < 0 ? List.of() : words.subList(dashes + 1, words.size()));
                var _ = dispatch(inner, call, Lookup.PROGRAMS);
            }
        }
        return Outcome.nothing(Status.MAYBE);
    }

    /// `tmux new -d 'commands'`, `screen -dm program words`
    private Outcome multiplexed(List<String> words, Call call) {
        words.stream().filter(word -> word.indexOf(' ') > 0).forEach(word -> text(word, call));
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("-") && words.get(i).length() < 4) {
                var _ = dispatch(words.subList(i + 1, words.size()), call, Lookup.PROGRAMS);
            }
        }
        return Outcome.nothing(Status.MAYBE);
    }

    private Outcome network(List<String> words, Call call) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean runs =
                    Set.of("-e", "-c", "--exec", "--sh-exec", "--lua-exec").contains(word);
            if (runs && i + 1 < words.size()) {
                var _ = text(words.get(i + 1), call);
            }
            Matcher address = Pattern.compile("(?i)(?:exec|system|shell):['\"]?([^'\",]*)")
                    .matcher(word);
            if (address.find()) {
                var _ = text(address.group(1), call);
            }
        }
        return Outcome.nothing(Status.MAYBE).printing(findings.marks.unknown(Marks.Kind.ORDINARY, "$(nc)"));
    }

    private Optional<Outcome> after(List<String> words, Set<String> options, Call call) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (options.contains(words.get(i))) {
                return Optional.of(text(String.join(" ", words.subList(i + 1, words.size())), call));
            }
        }
        return Optional.empty();
    }

    /// `uv run pytest`, `npm exec -- eslint`: those run a program of the project, or one that is named.
    private Optional<Outcome> delegated(String program, List<String> words, Call call) {
        int at = words.indexOf("run") >= 0 ? words.indexOf("run") : words.indexOf("exec");
        int option = words.indexOf("-c") >= 0 ? words.indexOf("-c") : words.indexOf("--call");
        if (option >= 0
                && option + 1 < words.size()
                && Set.of("npm", "npx", "pnpm").contains(program)) {
            return Optional.of(text(words.get(option + 1), call));
        }
        if (at < 0 || Set.of("npm", "pnpm", "yarn", "npx").contains(program)) {
            return Optional.empty();
        }
        List<String> rest = words.subList(at + 1, words.size()).stream()
                .dropWhile(word -> word.startsWith("-"))
                .toList();
        return rest.isEmpty() ? Optional.empty() : Optional.of(dispatch(rest, call, Lookup.PROGRAMS));
    }
}
