package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.gate.reading.Commands.Lookup;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Evaluates programs that pass a text to a shell, here or elsewhere: `su -c`, `watch`, `ssh`,
/// `tmux`.
final class TextRunners {
    private static final List<String> WATCH_NAMES = Words.list("""
            interval: equexit: shotsdir: beep color no-color differences? errexit follow chgexit precise no-rerun
            no-title no-wrap exec help version
            """);

    private static final List<String> SU_NAMES = Words.list("""
            command: session-command: shell: group: supp-group: whitelist-environment: login fast preserve-environment
            pty user: help version
            """);

    private static final List<String> SCRIPT_NAMES = Words.list("""
            command: echo: log-in: log-out: log-io: log-timing: logging-format: output-limit: append return flush force
            quiet timing? help version
            """);

    private static final List<String> FLOCK_NAMES = Words.list("""
            timeout: wait: conflict-exit-code: command: shared exclusive unlock nonblock nb close no-fork verbose help
            version
            """);

    private static final Pattern MEASURING_VALUES =
            Pattern.compile("-[wmMrPDLnu]|--(?:warmup|min-runs|max-runs|runs|parameter-\\S+|style|sort|command-name"
                    + "|time-unit|export-\\w+|output|input|min-benchmarking-time)");
    private static final String SSH_LETTERS = "bcDEeFIiJLlmOopQRSWwBP/46AaCfGgKkMNnqsTtVvXxYy";

    private final Findings findings;
    private final Runners runners;

    TextRunners(Findings findings, Runners runners) {
        this.findings = findings;
        this.runners = runners;
    }

    Outcome su(Call call) {
        Options options = Options.of(permuted(call.arguments(), "cCsgGwT"), "cCsgGwT", SU_NAMES);
        runners.ifUnclear("su", options);
        Optional<String> command = options.value("c", "C", "command", "session-command");
        if (command.isPresent()) {
            return runners.text(command.get(), call);
        }
        boolean user = Programs.name(call.first()).equals("runuser")
                && call.arguments().stream().anyMatch(word -> word.startsWith("-u") || word.startsWith("--u"));
        if (user) {
            List<String> rest = Options.of(call.arguments(), "ucCsgGwT", List.of("user:", "shell:"))
                    .rest();
            return runners.dispatch(rest, call, Lookup.PROGRAMS);
        }
        List<String> shell = options.rest().stream()
                .filter(word -> !word.equals("-") && !word.equals("--"))
                .skip(1)
                .toList();
        return shell.isEmpty() ? runners.text(call.state().input.takeAll(), call) : runners.shell(shell, call);
    }

    /// Puts options in front of the other words, in the order in which GNU programs read them.
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

    Outcome script(Call call) {
        Options options = Options.of(permuted(call.arguments(), "cEIOBTmo"), "cEIOBTmo", SCRIPT_NAMES);
        runners.ifUnclear("script", options);
        List<String> rest = call.arguments().stream()
                .dropWhile(word -> word.startsWith("-"))
                .toList();
        if (rest.size() > 1) { // `script FILE program` of BSD
            List<String> inner = rest.subList(rest.get(1).equals("--") ? 2 : 1, rest.size());
            var _ = runners.dispatch(inner, call, Lookup.PROGRAMS);
        }
        Optional<String> command = options.value("c", "command");
        return runners.text(command.orElseGet(() -> call.state().input.takeAll()), call);
    }

    Outcome flock(Call call) {
        Options options = Options.of(call.arguments(), "wEc/sxeunoFhV", FLOCK_NAMES);
        runners.ifUnclear("flock", options);
        List<String> rest = options.rest().isEmpty()
                ? List.of()
                : options.rest().subList(1, options.rest().size());
        if (rest.size() > 1 && (rest.getFirst().equals("-c") || rest.getFirst().startsWith("--c"))) {
            return runners.text(rest.get(1), call);
        }
        runners.ifHiding("flock", call.arguments(), rest);
        options.value("c", "command").ifPresent(command -> runners.text(command, call));
        return runners.dispatch(rest, call, Lookup.PROGRAMS);
    }

    Outcome watch(String program, Call call) {
        Options options = program.equals("watch")
                ? Options.of(call.arguments(), "nqs/bcCdefgprtwxhv", WATCH_NAMES)
                : Options.of(call.arguments(), "/acdnprsxz", List.of());
        runners.ifUnclear(program, options);
        return runners.text(String.join(" ", options.rest()), call);
    }

    /// Evaluates `hyperfine --runs 3 'make a' 'make b'`.
    Outcome measured(Call call) {
        List<String> words = call.arguments();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (MEASURING_VALUES.matcher(word).matches()) {
                i++;
            } else if (!word.startsWith("-")) {
                var _ = runners.text(word, call); // this includes the texts behind --prepare and similar options
            } else if (word.indexOf('=') > 0) {
                var _ = runners.text(word.substring(word.indexOf('=') + 1), call);
            }
        }
        return Outcome.SILENT;
    }

    Outcome ssh(Call call) {
        Options first = Options.of(call.arguments(), SSH_LETTERS, List.of("*"));
        List<String> behind = first.rest()
                .subList(Math.min(1, first.rest().size()), first.rest().size());
        Options options = Options.of(behind, SSH_LETTERS, List.of("*")); // options may stand behind the host, too
        runners.ifUnclear("ssh", first);
        Stream.concat(first.values("o").stream(), options.values("o").stream())
                .filter(value -> value.matches("(?i)(?:ProxyCommand|LocalCommand)[= ].*"))
                .forEach(value -> runners.text(value.replaceFirst("(?i)^\\w+[= ]", ""), call));
        List<String> rest = options.rest();
        return runners.text(rest.isEmpty() ? call.state().input.takeAll() : String.join(" ", rest), call);
    }

    Outcome daemon(List<String> words, Call call) {
        int dashes = words.indexOf("--");
        for (String option : List.of("--exec", "-x", "--startas", "-a")) {
            int at = words.indexOf(option);
            if (at >= 0 && at + 1 < words.size()) {
                List<String> inner = new ArrayList<>(List.of(words.get(at + 1)));
                inner.addAll(dashes < 0 ? List.of() : words.subList(dashes + 1, words.size()));
                var _ = runners.dispatch(inner, call, Lookup.PROGRAMS);
            }
        }
        return Outcome.SILENT;
    }

    /// Evaluates `tmux new -d 'commands'` and `screen -dm program words`.
    Outcome multiplexed(List<String> words, Call call) {
        words.stream().filter(word -> word.indexOf(' ') > 0).forEach(word -> runners.text(word, call));
        int keys = Math.max(words.indexOf("send-keys"), words.indexOf("send"));
        if (keys >= 0) {
            StringBuilder typed = new StringBuilder();
            words.subList(keys + 1, words.size())
                    .forEach(key -> typed.append(
                            switch (key) {
                                case "Space" -> " ";
                                case "Enter", "C-m", "C-j", "KPEnter" -> "\n";
                                case "Tab" -> "\t";
                                default -> key;
                            }));
            return runners.text(typed.toString().replaceFirst("^-t\\S*", ""), call);
        }
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("-")) {
                runners.notable(words.subList(i + 1, words.size()), call);
            }
        }
        return Outcome.SILENT;
    }

    Outcome network(List<String> words, Call call) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean runs =
                    Set.of("-e", "-c", "--exec", "--sh-exec", "--lua-exec").contains(word);
            if (runs && i + 1 < words.size()) {
                var _ = runners.text(words.get(i + 1), call);
            }
            Matcher address = Pattern.compile("(?i)(?:exec|system|shell):['\"]?([^'\",]*)")
                    .matcher(word);
            if (address.find()) {
                var _ = runners.text(address.group(1), call);
            }
        }
        return Outcome.SILENT.printing(findings.marks.output("nc"));
    }
}
