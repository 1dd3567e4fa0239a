package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Assignment;
import dev.talaria.engine.gate.reading.Outcome.Status;
import dev.talaria.engine.gate.reading.UnknownValues.Kind;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Evaluates one program with its words: which programs it runs, which files it changes, what it
/// prints.
final class Commands {
    /// Programs whose first words decide what they do.
    private static final Set<String> WITH_VERBS = Words.set("""
            git npm pnpm yarn docker podman nerdctl kubectl oc helm systemctl service gh glab aws gcloud az terraform
            tofu pulumi brew apt apt-get dnf yum pip pip3 virsh vault
            """);

    /// Programs whose options decide how much they destroy.
    private static final Set<String> DESTROYERS = Set.of("rm", "chmod", "chown", "chgrp", "shred", "truncate");

    /// Builtins that declare a function's own variables.
    private static final Set<String> DECLARING = Set.of("local", "declare", "typeset");

    /// Builtins whose preceding assignments persist, in some shells.
    private static final Set<String> SPECIAL = Words.set("""
            : . source eval exec export readonly set shift trap unset times break continue return exit
            """);

    private static final Pattern WILD_OPTION = Pattern.compile("--?[a-z-]*[*?\\[][^=]*");
    private static final int MOST_CALLS = 8;

    private final Evaluator evaluator;
    private final Findings findings;
    private final LocalVariables locals = new LocalVariables();
    private final Builtins builtins;
    private final Shells shells;
    private final Runners runners;
    private final Map<String, Integer> calls = new HashMap<>();
    private boolean trapped;

    Commands(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.builtins = new Builtins(evaluator, locals);
        this.shells = new Shells(evaluator);
        this.runners = new Runners(evaluator, this, shells);
    }

    enum Lookup {
        ALL,
        BUILTINS_AND_PROGRAMS,
        PROGRAMS
    }

    /// A command on its way through wrappers such as `sudo`.
    ///
    /// @param redirections the redirections as they are shown
    /// @param lookup what the command's name may stand for
    record Call(List<String> words, String redirections, State state, Lookup lookup) {
        Call with(List<String> inner, Lookup newLookup) {
            return new Call(inner, redirections, state, newLookup);
        }

        String first() {
            return words.getFirst();
        }

        List<String> arguments() {
            return words.subList(1, words.size());
        }
    }

    Outcome run(List<String> words, List<Assignment> assignments, String redirections, State state) {
        if (words.isEmpty()) {
            return alone(assignments, redirections, state);
        }
        Map<String, Optional<Variable>> saved = new HashMap<>();
        List<String> shown = new ArrayList<>();
        for (Assignment assignment : assignments) {
            if (assignment.elements().isEmpty()) {
                saved.putIfAbsent(assignment.name(), Optional.ofNullable(state.variables.get(assignment.name())));
            }
            if (DECLARING.contains(words.getFirst()) && assignment.elements().isPresent()) {
                locals.add(assignment.name(), state);
            }
            shown.add(assigned(assignment, state));
        }
        Set<String> before = Set.copyOf(state.exported);
        state.exported.addAll(saved.keySet());
        if (!shown.isEmpty()) {
            findings.compounded();
            note(shown, words, redirections, state);
        }
        Outcome outcome = dispatch(new Call(words, redirections, state, Lookup.ALL));
        saved.keySet().stream().filter(name -> !before.contains(name)).forEach(state.exported::remove);
        restore(saved, words.getFirst(), state);
        state.set("_", words.getLast());
        debug(state);
        return outcome;
    }

    private void restore(Map<String, Optional<Variable>> saved, String program, State state) {
        saved.forEach((name, old) -> {
            if (SPECIAL.contains(program)) {
                String now = state.text(name).orElse("");
                state.set(
                        name,
                        findings.marks.choice(
                                List.of(now, old.map(Variable::text).orElse(Variables.unset(name)))));
            } else {
                state.variables.restore(name, old);
            }
        });
    }

    private Outcome alone(List<Assignment> assignments, String redirections, State state) {
        boolean all = state.options.contains("allexport");
        List<String> shown = new ArrayList<>();
        assignments.forEach(assignment -> {
            shown.add(assigned(assignment, state));
            if (all) {
                state.exported.add(assignment.name());
            }
        });
        if (!shown.isEmpty()) {
            findings.compounded();
            note(shown, List.of(), redirections, state);
            state.set("_", UnknownValues.MADE);
            debug(state);
        }
        if (!redirections.isEmpty()) {
            findings.command(":", ":" + redirections);
        }
        boolean literal =
                assignments.stream().allMatch(one -> one.value().literal().isPresent());
        boolean own = assignments.stream().anyMatch(one -> OwnVariables.has(one.name()));
        boolean sure = literal && !own && !state.options.contains("readonly") && redirections.isEmpty();
        return Outcome.of(sure ? Status.YES : Status.MAYBE, "", ":" + redirections);
    }

    private String assigned(Assignment assignment, State state) {
        if (assignment.append() && state.options.contains("posix")) {
            findings.unknown("It adds to a variable, which not every shell can do.");
        }
        String shown = evaluator.assign(assignment, state);
        OwnVariables.assigned(assignment.name(), state, findings);
        return shown;
    }

    /// Notes a command with the assignments in front of it. Runs an assigned value if some program
    /// takes it for a command.
    private void note(List<String> shown, List<String> words, String redirections, State state) {
        StringBuilder line = new StringBuilder();
        shown.forEach(one -> line.append(line.isEmpty() ? "" : " ").append(evaluator.lines.word(one)));
        if (!words.isEmpty()) {
            line.append(' ').append(evaluator.lines.command(words));
        }
        findings.command("", line + redirections);
        shown.forEach(
                one -> CommandSettings.of(one).ifPresent(text -> evaluator.text(text, state.child(findings.marks))));
    }

    /// Evaluates a command, and the commands that it runs in turn.
    Outcome dispatch(Call given) {
        if (findings.over()) {
            return Outcome.SILENT;
        }
        Optional<List<String>> words = known(given);
        if (words.isEmpty()) {
            return Outcome.SILENT;
        }
        Call call = new Call(words.get(), given.redirections(), given.state(), given.lookup());
        String first = call.first();
        State state = call.state();
        String program = program(first, state);
        List<String> shown = new ArrayList<>(call.words());
        shown.set(0, program);
        String line = evaluator.lines.command(shown) + call.redirections();
        boolean bare = first.indexOf('/') < 0;
        Set<Node.Define> functions =
                call.lookup() == Lookup.ALL ? state.functions.getOrDefault(first, Set.of()) : Set.of();
        if (!functions.isEmpty()) {
            Outcome outcome = function(first, functions, call, line);
            if (!state.options.contains("maybe " + first)) {
                return outcome;
            }
        }
        findings.command(program, line);
        boolean unclear = DESTROYERS.contains(program)
                ? call.arguments().stream().anyMatch(word -> unclearOption(word) || findings.marks.made(word))
                : program.equals("git")
                        && call.arguments().stream()
                                .anyMatch(word -> WILD_OPTION.matcher(word).matches());
        boolean telling = SubcommandOptions.TELLING.contains(program)
                && call.arguments().stream().anyMatch(word -> SubcommandOptions.hidden(program, word, findings.marks));
        verb(program, call);
        if (unclear || telling) {
            findings.unknown("It gives " + program + " an option that cannot be told beforehand.");
        }
        CommandSettings.in(program, call.arguments())
                .forEach(text -> evaluator.text(text, state.child(findings.marks)));
        evaluator.targets.resolve(program, call.words(), state);
        Writes.of(program, call.arguments(), state, evaluator);
        Optional<Outcome> outcome = Optional.<Outcome>empty()
                .or(() -> file(call))
                .or(() -> call.lookup() == Lookup.PROGRAMS || !bare ? Optional.empty() : builtins.run(program, call))
                .or(() -> shells.run(program, call))
                .or(() -> runners.run(program, call));
        if (outcome.isPresent()) {
            boolean wraps =
                    Wrappers.of(program).isPresent() && !outcome.get().lines().isEmpty();
            List<String> lines = wraps ? outcome.get().lines() : List.of(line);
            return new Outcome(
                    outcome.get().status(),
                    outcome.get().output(),
                    lines,
                    outcome.get().moved());
        }
        return Outcome.of(Status.MAYBE, printed(program, call), line);
    }

    /// Notes a program with subcommands if the words that choose the subcommand are not known.
    private void verb(String program, Call call) {
        if (!WITH_VERBS.contains(program)) {
            return;
        }
        String before = "";
        boolean found = false;
        for (String word : call.arguments()) {
            boolean option = word.startsWith("-");
            boolean value = !option && before.startsWith("-") && before.indexOf('=') < 0;
            boolean operand = !option && !value;
            boolean made = word.length() == 1 && findings.marks.made(word);
            boolean unclear = option
                    ? SubcommandOptions.unclear(program, word, findings.marks)
                    : value
                            ? findings.marks.made(word)
                                    && (found
                                            ? made && SubcommandOptions.alone(before)
                                            : !SubcommandOptions.valued(program, before))
                            : made || (!found && UnknownValues.any(word));
            if (unclear) {
                findings.unknown("It tells " + program + " to do something that cannot be told beforehand.");
            }
            found |= operand;
            before = word;
        }
    }

    private static boolean unclearOption(String word) {
        return word.startsWith("-") && word.length() > 1 && (UnknownValues.any(word) || Globs.wild(word));
    }

    /// Returns a program's name. A program that this text has linked or copied has the name of the
    /// original.
    private String program(String first, State state) {
        String name = Programs.name(first);
        if (first.indexOf('/') >= 0) {
            String real = state.copies.getOrDefault(evaluator.targets.key(first, state), first);
            return Programs.name(evaluator.targets.key(real, state));
        }
        boolean own = Stream.of(state.files, state.links, state.copies)
                        .flatMap(map -> map.keySet().stream())
                        .anyMatch(path -> path.endsWith("/" + first))
                && state.variables.has("PATH");
        if (own) {
            findings.unknown("It makes a program " + name + ", sets where programs are looked for, and runs it.");
        }
        return name;
    }

    private String printed(String program, Call call) {
        Input input = call.state().input;
        boolean reads = Filters.reads(program, call.arguments());
        String text = reads ? input.takeAll() : "";
        if (leaves(program, call.arguments()) && !text.isEmpty() && !text.equals(ShellContext.TYPED)) {
            input.rest(findings.marks.blurred(text)); // the next command may read it
        }
        Optional<String> known = Filters.output(program, call.arguments(), text, call.state(), evaluator);
        if (program.equals("tee") && call.arguments().stream().anyMatch(word -> word.matches("-[ip]*a.*|--a.*"))) {
            call.arguments().stream()
                    .filter(word -> !word.startsWith("-"))
                    .forEach(word -> evaluator.targets.filled(word, true, call.state()));
        }
        return known.orElseGet(() -> {
            boolean made = (reads && !text.isEmpty() && !text.equals(ShellContext.TYPED) && !onlyOrdinary(text))
                    || Filters.makes(program, call.arguments())
                    || call.arguments().stream().anyMatch(findings.marks::made);
            return findings.marks.unknown(made ? Kind.MADE : Kind.ORDINARY, "$(" + program + ")");
        });
    }

    /// Returns whether a program may stop before the end of what it reads.
    private static boolean leaves(String program, List<String> arguments) {
        return switch (program) {
            case "head" -> true;
            case "grep", "egrep", "fgrep" ->
                arguments.stream().anyMatch(word -> word.matches("-[a-zA-Z]*[mqlL].*|--(?:max|q|s|files).*"));
            case "sed", "gsed", "awk", "gawk", "mawk", "dd" -> true;
            default -> false;
        };
    }

    private boolean onlyOrdinary(String text) {
        return text.length() == 1 && findings.marks.has(text, Kind.ORDINARY);
    }

    /// Returns the words from the first one that is a program's name. Notes words that are not known.
    private Optional<List<String>> known(Call call) {
        List<String> words = call.words();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String likely = findings.marks.withoutUnset(word);
            if (UnknownValues.any(word)) {
                findings.unknown("It runs " + evaluator.lines.word(word)
                        + ", and which program that is cannot be told beforehand.");
                findings.command("$", evaluator.lines.command(words.subList(i, words.size())) + call.redirections());
            }
            if (Globs.wild(likely) && !likely.equals("[") && !likely.equals("[[")) {
                findings.unknown("It runs " + likely + ", and which program that is depends on the files there are.");
            }
            boolean nothing = UnknownValues.any(word) && likely.chars().allMatch(c -> UnknownValues.mark((char) c));
            if (!nothing) {
                List<String> rest = new ArrayList<>(words.subList(i, words.size()));
                rest.set(0, likely);
                return Optional.of(rest);
            }
        }
        return Optional.empty();
    }

    /// Runs a file that this text has written.
    private Optional<Outcome> file(Call call) {
        if (call.first().indexOf('/') < 0 || call.state().files.isEmpty()) {
            return Optional.empty();
        }
        return evaluator.targets.content(call.first(), call.state()).map(content -> {
            String text = content.startsWith("#!") && content.indexOf('\n') > 0
                    ? content.substring(content.indexOf('\n') + 1)
                    : content;
            return shells.script(text, call.first(), call.arguments(), call.state());
        });
    }

    private Outcome function(String name, Set<Node.Define> bodies, Call call, String line) {
        int depth = calls.merge(name, 1, Integer::sum);
        State state = call.state();
        List<String> outer = state.arguments;
        Outcome outcome = Outcome.SILENT;
        if (depth > 2 && outer.equals(call.arguments())) {
            findings.command(name, line); // it calls itself with the same words, so there is nothing new in it
        } else if (depth > MOST_CALLS) {
            findings.unknown("It calls " + name + " more often than can be followed.");
        } else {
            State start = state.copy();
            List<Outcome> all = new ArrayList<>();
            List<State> ends = new ArrayList<>();
            for (Node.Define body : bodies) {
                State one = start.copy();
                one.arguments = List.copyOf(call.arguments());
                locals.enter();
                all.add(evaluator.jumps.inBody(one, () -> evaluator.run(body.body(), one)));
                locals.leave(one, findings.marks);
                ends.add(one);
            }
            State end = ends.getFirst();
            ends.stream().skip(1).forEach(other -> end.join(other, findings.marks));
            state.take(end);
            outcome = all.size() == 1 ? all.getFirst() : Outcome.of(Status.MAYBE, UnknownValues.MADE, line);
        }
        state.arguments = outer;
        calls.merge(name, -1, Integer::sum);
        return outcome;
    }

    /// Runs the traps that the shell runs between any two commands.
    private void debug(State state) {
        if (trapped || state.traps.isEmpty()) {
            return;
        }
        trapped = true;
        Map.copyOf(state.traps).forEach((signal, text) -> {
            State after = state.copy();
            var _ = evaluator.jumps.inShell(after, () -> evaluator.text(text, after)); // later commands run in any case
            if (!signal.equals("EXIT") && !signal.equals("0")) {
                state.join(after, findings.marks);
            }
        });
        trapped = false;
    }

    /// Runs the traps that the shell runs when it ends.
    void end(State state) {
        debug(state);
    }
}
