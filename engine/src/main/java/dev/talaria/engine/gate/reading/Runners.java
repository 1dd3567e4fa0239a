package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.gate.reading.Commands.Lookup;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Evaluates programs that run other programs: with their words (`sudo`, `xargs`, `find -exec`) or as
/// a text for a shell (`su -c`, `watch`).
final class Runners {
    private static final int MOST = 16;
    /// The optional first word of `setarch i686 program`.
    private static final Pattern ARCHITECTURE = Pattern.compile(
            "i\\d86|x86_64|amd64|athlon|linux32|linux64|uname26|aarch64|arm\\w*|ppc\\w*|s390\\w*|sparc\\w*|mips\\w*"
                    + "|parisc\\w*|ia64|alpha\\w*|riscv\\w*|loongarch\\w*");

    /// Programs that are searched behind words with an unknown meaning.
    private static final Set<String> NOTABLE = Words.set("""
            rm rmdir unlink shred truncate dd mv git find xargs chmod chown sudo env kill pkill killall shutdown reboot
            poweroff halt crontab systemctl docker podman kubectl terraform psql mysql redis-cli curl wget nc tee
            """);

    /// Programs that may remove variables from the environment of the program that they run.
    private static final Set<String> RESETTING = Set.of(
            "sudo", "doas", "setpriv", "systemd-run", "pkexec", "run0", "bwrap", "firejail", "chpst", "flatpak-spawn");

    /// Programs that run a program of a project, or a named one.
    private static final Set<String> DELEGATING = Words.set("""
            uv uvx poetry pipenv pdm hatch rye pixi pipx tox bundle rbenv pyenv nodenv asdf volta fnm conda mamba
            micromamba mise direnv dotenv dotenvx op doppler infisical aws-vault chamber envchain foreman guix
            distrobox toolbox npm npx bunx pnpm yarn nodemon watchexec
            """);

    private final Evaluator evaluator;
    private final Findings findings;
    private final Commands commands;
    private final Shells shells;
    private final ArgumentRunners arguments;
    private final Languages languages;
    private final TextRunners texts;
    private int wrapped;

    Runners(Evaluator evaluator, Commands commands, Shells shells) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.commands = commands;
        this.shells = shells;
        this.arguments = new ArgumentRunners(evaluator, this);
        this.languages = new Languages(evaluator, this);
        this.texts = new TextRunners(findings, this);
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
            case "find", "fd", "fdfind" -> {
                arguments.executed(call);
                yield Optional.empty();
            }
            case "git" -> {
                repeated(words, call);
                yield Optional.empty();
            }
            case "docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc" -> {
                contained(words, call);
                yield Optional.empty();
            }
            case "capsh" -> {
                int dashes = words.indexOf("--") >= 0 ? words.indexOf("--") : words.indexOf("==");
                yield dashes < 0 ? Optional.empty() : Optional.of(shell(words.subList(dashes + 1, words.size()), call));
            }
            case "runcon" -> {
                List<String> rest = Options.of(words, "turl/c", List.of("type:", "user:", "role:", "range:", "compute"))
                        .rest();
                var _ = dispatch(rest.subList(Math.min(1, rest.size()), rest.size()), call, Lookup.PROGRAMS);
                yield Optional.of(dispatch(rest, call, Lookup.PROGRAMS));
            }
            case "su", "runuser" -> {
                call.state().options.add("unexported");
                yield Optional.of(texts.su(call));
            }
            case "sg" -> Optional.of(text(last(words, 1), call));
            case "newgrp" -> Optional.of(text(call.state().input.takeAll(), call));
            case "script" -> Optional.of(texts.script(call));
            case "flock" -> Optional.of(texts.flock(call));
            case "watch", "entr" -> Optional.of(texts.watch(program, call));
            case "hyperfine" -> Optional.of(texts.measured(call));
            case "ssh", "mosh" -> Optional.of(texts.ssh(call));
            case "at", "batch" -> Optional.of(text(call.state().input.takeAll(), call));
            case "start-stop-daemon" -> Optional.of(texts.daemon(words, call));
            case "tmux", "screen" -> Optional.of(texts.multiplexed(words, call));
            case "nc", "ncat", "socat" -> Optional.of(texts.network(words, call));
            case "make", "gmake", "ninja" -> Optional.of(languages.made(words, call.state()));
            case "nix-shell", "nix" -> after(words, Set.of("--run", "--command", "-c"), call);
            default ->
                DELEGATING.contains(program) ? delegated(program, words, call) : languages.code(program, words, call);
        };
    }

    /// Evaluates a text that another shell runs.
    Outcome text(String text, Call call) {
        findings.compounded();
        if (text.equals(ShellContext.TYPED)) {
            return Outcome.SILENT; // typed input is judged when somebody types it
        }
        State child = call.state().child(findings.marks);
        child.options.add("posix");
        return shells.text("sh", text, child, call.state());
    }

    private static String last(List<String> words, int from) {
        return String.join(" ", words.subList(Math.min(from, words.size()), words.size()))
                .replaceFirst("^-c ", "");
    }

    /// Evaluates a command that is run with its words.
    Outcome dispatch(List<String> words, Call call, Lookup lookup) {
        if (++wrapped > MOST) {
            findings.giveUp("more than " + MOST + " programs in it do nothing but run the next");
        }
        Outcome outcome =
                words.isEmpty() || findings.over() ? Outcome.SILENT : commands.dispatch(call.with(words, lookup));
        wrapped--;
        return outcome;
    }

    private Outcome wrapped(String program, Wrappers.Wrapper wrapper, Call call) {
        List<String> words = known(call.arguments());
        boolean first = !words.isEmpty()
                && (program.equals("perf")
                        ? !words.getFirst().startsWith("-")
                        : program.equals("setarch")
                                && ARCHITECTURE.matcher(words.getFirst()).matches());
        Options options =
                Options.of(first ? words.subList(1, words.size()) : words, wrapper.letters(), wrapper.names());
        ifUnclear(program, options);
        boolean nothing =
                options.found().stream().anyMatch(option -> wrapper.not().contains(option.name()))
                        && !(program.equals("sudo") && options.has("e"));
        if (nothing && !options.unclear()) {
            return Outcome.SILENT.printing(program.equals("command") ? found(options) : findings.marks.output(program));
        }
        List<String> rest = options.rest();
        State state = call.state();
        State before = state.copy();
        withoutVariables(program, options, state);
        if (program.equals("env") || program.equals("sudo")) {
            options.value("C", "D", "chdir").ifPresent(folder -> state.folder = evaluator.targets.key(folder, state));
            rest = withoutAssignments(rest, call);
        }
        if (program.equals("exec") && options.has("a")) {
            findings.unknown("It starts a program under another name.");
        }
        if (program.equals("exec") && !rest.isEmpty()) {
            evaluator.jumps.jump(state); // nothing runs behind it
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
        ifHiding(program, words, rest);
        Outcome outcome;
        if (rest.isEmpty()) {
            boolean shell = wrapper.shell() && !wrapper.not().stream().anyMatch(options::has);
            outcome = shell ? text(state.input.takeAll(), call) : Outcome.SILENT;
            if (program.equals("env")) {
                outcome = outcome.printing(UnknownValues.ORDINARY);
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

    /// Notes that a program has options that are not known.
    void ifUnclear(String program, Options options) {
        if (options.unclear()) {
            findings.unknown(
                    "It gives " + program + " an option that is not known, so that what it runs is not clear.");
        }
    }

    /// Notes that words of the wrapper's own may hold the program that it runs: an unknown text may be split
    /// into several words.
    void ifHiding(String program, List<String> words, List<String> rest) {
        List<String> own = words.subList(0, Math.max(0, words.size() - rest.size()));
        boolean hiding = own.stream()
                .anyMatch(word -> findings.marks.mayBeSplit(word)
                        || (rest.isEmpty() && findings.marks.has(word, UnknownValues.Kind.ORDINARY)));
        if (hiding) {
            findings.unknown("It runs a program by " + program + ", and which one cannot be told beforehand.");
        }
    }

    /// Restores the variables that were set for the program alone.
    private static void restore(State state, State before) {
        State after = state.copy();
        state.take(before);
        state.effectsOf(after);
    }

    private static String found(Options options) {
        return options.rest().isEmpty() ? "" : options.rest().getLast();
    }

    /// Returns the words without those that are most likely empty.
    List<String> known(List<String> words) {
        return words.stream()
                .filter(word -> !UnknownValues.any(word)
                        || !findings.marks.withoutUnset(word).isEmpty())
                .toList();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /// Removes the variables that `env -i` and `env -u NAME` take from the program.
    private void withoutVariables(String program, Options options, State state) {
        boolean all = options.has("i", "ignore-environment")
                || options.rest().stream().findFirst().filter("-"::equals).isPresent();
        if (RESETTING.contains(program)
                || (program.equals("env") && all)
                || (program.equals("exec") && options.has("c"))) {
            state.options.add("unexported");
        }
        (program.equals("env") ? options.values("u", "unset") : List.<String>of())
                .forEach(name -> state.text(name)
                        .ifPresent(value -> state.set(name, findings.marks.choice(List.of(value, "")))));
    }

    /// Returns the words behind each `NAME=value`, whatever the name. Sets those variables for the
    /// program.
    private List<String> withoutAssignments(List<String> words, Call call) {
        int at = 0;
        while (at < words.size()
                && (words.get(at).indexOf('=') >= 0 || words.get(at).equals("-"))) {
            String word = words.get(at);
            if (word.startsWith("BASH_FUNC_")) {
                findings.unknown("It hands a shell a function through the environment.");
            }
            CommandSettings.of(word)
                    .ifPresent(text -> evaluator.text(text, call.state().child(findings.marks)));
            if (word.equals("-")) {
                at++;
                continue;
            }
            String name = word.substring(0, word.indexOf('='));
            String value = word.substring(word.indexOf('=') + 1);
            if ((name.equals("BASH_ENV") || name.equals("ENV")) && !value.isEmpty()) {
                findings.unknown("It has a shell begin with a file.");
            }
            if (name.equals("BASHOPTS") || name.equals("SHELLOPTS")) {
                findings.unknown("It hands a shell options through the environment.");
            }
            if (call.state().variables.has(name) || Programs.assignment(word)) {
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

    /// Evaluates the arguments of a shell.
    Outcome shell(List<String> arguments, Call call) {
        List<String> words = new ArrayList<>(List.of("bash"));
        words.addAll(arguments);
        return dispatch(words, call, Lookup.PROGRAMS);
    }

    private Optional<Outcome> after(List<String> words, Set<String> options, Call call) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (options.contains(words.get(i))) {
                return Optional.of(text(String.join(" ", words.subList(i + 1, words.size())), call));
            }
        }
        return Optional.empty();
    }

    /// Evaluates `uv run pytest` or `npm exec -- eslint`: they run a program of the project, or a
    /// named one.
    private Optional<Outcome> delegated(String program, List<String> words, Call call) {
        int at = words.indexOf("run") >= 0 ? words.indexOf("run") : words.indexOf("exec");
        int option = words.indexOf("-c") >= 0 ? words.indexOf("-c") : words.indexOf("--call");
        if (option >= 0
                && option + 1 < words.size()
                && Set.of("npm", "npx", "pnpm").contains(program)) {
            return Optional.of(text(words.get(option + 1), call));
        }
        List<String> behind = words.subList(at + 1, words.size());
        notable(behind, call);
        if (program.equals("uv") && behind.contains("-")) {
            return Optional.of(dispatch(List.of("python3", "-"), call, Lookup.PROGRAMS));
        }
        if (at < 0 || Set.of("npm", "pnpm", "yarn", "npx", "bunx").contains(program)) {
            return Optional.empty();
        }
        List<String> rest =
                behind.stream().dropWhile(word -> word.startsWith("-")).toList();
        return rest.isEmpty() ? Optional.empty() : Optional.of(dispatch(rest, call, Lookup.PROGRAMS));
    }

    /// Evaluates a command in a container if the container existed before, or shares files with the
    /// machine.
    private void contained(List<String> words, Call call) {
        boolean shares =
                words.contains("run") && words.stream().anyMatch(word -> word.matches("-v.*|--volume.*|--mount.*"));
        if (shares || words.contains("exec")) {
            notable(words, call);
        }
    }

    /// Evaluates each notable program behind words with an unknown meaning.
    void notable(List<String> words, Call call) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String name = UnknownValues.any(word) || Globs.wild(word) ? "" : Programs.name(word);
            if (NOTABLE.contains(name) || Programs.shell(name)) {
                var _ = dispatch(words.subList(i, words.size()), call, Lookup.PROGRAMS);
            }
        }
    }

    /// Evaluates `git submodule foreach 'text'` and `git bisect run program words`.
    private void repeated(List<String> words, Call call) {
        int each = words.indexOf("submodule") >= 0 ? words.indexOf("foreach") : -1;
        int run = words.indexOf("bisect") >= 0 ? words.indexOf("run") : -1;
        if (each >= 0) {
            List<String> rest = words.subList(each + 1, words.size()).stream()
                    .dropWhile(word -> word.startsWith("-"))
                    .toList();
            var _ = text(String.join(" ", rest), call);
        }
        if (run >= 0) {
            var _ = dispatch(words.subList(run + 1, words.size()), call, Lookup.PROGRAMS);
        }
    }
}
