package dev.talaria.engine.decide.reading;

import dev.talaria.engine.decide.reading.Commands.Call;
import dev.talaria.engine.decide.reading.Outcome.Status;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Programs with a language of their own, in which commands can stand: editors, `make`, interpreters.
final class Languages {
    private static final Pattern ESCAPE = Pattern.compile("^[+:%\\d,$]*(?:!|e )(.+)", Pattern.DOTALL);
    private static final Pattern SED_RUNS =
            Pattern.compile("(?:^|[;{}/\\d$\\s])e\\s*(?:$|[;}\\n])|s(.).*\\1.*\\1[gpiIm\\d]*e");

    private static final Pattern FOREIGN_RUNS = Pattern.compile(
            "(?i)\\bsystem\\b(?!\\.(?:out|err|in)\\b)|ProcessBuilder|getRuntime|\\.execute\\b|\\.!"
                    + "|\\b(?:exec|spawn|shell|popen|syscmd|esyscmd|run-program|call-process|proc_open|os:cmd)\\b|\\\\!|^!|`");

    private final Evaluator evaluator;
    private final Findings findings;
    private final Runners runners;

    Languages(Evaluator evaluator, Runners runners) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.runners = runners;
    }

    /// `vim -c '!rm -rf /'`, `sed '1e rm -rf /'`
    Optional<Outcome> edited(String program, List<String> arguments, Call call) {
        for (String word : arguments) {
            Matcher matcher = ESCAPE.matcher(word);
            if (matcher.find()) {
                var _ = runners.text(matcher.group(1), call);
            } else if (program.equals("sed")
                    && !word.startsWith("-i")
                    && SED_RUNS.matcher(word).find()) {
                findings.unknown("It has sed run what it reads.");
            }
        }
        boolean reads = Set.of("ed", "ex").contains(program)
                && !call.state().input.rest().isEmpty();
        if (reads) {
            call.state()
                    .input
                    .takeAll()
                    .lines()
                    .filter(line -> line.startsWith("!"))
                    .forEach(line -> runners.text(line.substring(1), call));
        }
        return Optional.empty();
    }

    Outcome made(List<String> words, State state) {
        boolean own = words.stream()
                        .anyMatch(word -> state.files.containsKey(
                                evaluator.targets().key(word.replaceFirst("^(-f|--file=|--makefile=)", ""), state)))
                || Stream.of("Makefile", "makefile", "GNUmakefile", "build.ninja")
                        .anyMatch(name ->
                                state.files.containsKey(evaluator.targets().key(name, state)));
        boolean text = words.stream()
                .anyMatch(word -> word.startsWith("--ev")
                        || word.contains("$(shell")
                        || word.equals("-f-")
                        || word.equals("--file=-")
                        || word.equals("/dev/stdin"));
        boolean input = words.contains("-f") && words.contains("-");
        if (text || input || own) {
            findings.unknown("It has make run rules that stand in the command.");
        }
        return Outcome.nothing(Status.MAYBE).printing(findings.marks.unknown(Marks.Kind.ORDINARY, "$(make)"));
    }

    /// Programs that read a language of their own, in which commands can stand.
    Outcome foreign(String program, List<String> words, Call call) {
        String all = String.join("\n", words) + "\n" + call.state().input.takeAll();
        if (FOREIGN_RUNS.matcher(all).find()) {
            findings.unknown("It has " + program + " run a command.");
        }
        return Outcome.nothing(Status.MAYBE)
                .printing(findings.marks.unknown(Marks.Kind.ORDINARY, "$(" + program + ")"));
    }

    /// Programs in other languages.
    Optional<Outcome> code(String program, List<String> arguments, Call call) {
        Code.Told told = Code.of(program, arguments, call.state().input);
        told.texts().forEach(findings::code);
        if (Code.runsInput(program, arguments)) {
            findings.unknown("It has awk run what it reads.");
        }
        told.commands().forEach(command -> runners.text(command, call));
        return Optional.empty();
    }
}
