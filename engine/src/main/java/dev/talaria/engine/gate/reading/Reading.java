package dev.talaria.engine.gate.reading;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/// A command's text in the forms that rules are matched on.
///
/// @param raw the text as it was written
/// @param text the same without escape sequences and look-alikes
/// @param lines what it would do
/// @param unknown what cannot be computed from the text, a sentence each: a person is asked about it
/// @param programs the names of all programs
/// @param compound whether the text is more than one program with its words
/// @param unreadable why the text cannot be judged, if so; then the other lists are incomplete
/// @param after what a shell that has read this text leaves to the next line
/// @param exports variables that outlive the shell in a session
/// @param looked the names of all variables that commands in it look up or set: other variables make no
///     difference to it
public record Reading(
        String raw,
        String text,
        Lines lines,
        List<String> unknown,
        Set<String> programs,
        boolean compound,
        Optional<String> unreadable,
        ShellContext after,
        Map<String, String> exports,
        Set<String> looked) {

    /// The longest text that is read.
    public static final int LONGEST = 128_000;

    /// The beginning of a sentence in `unknown` about an incomplete text: a quote or a loop without
    /// its end.
    public static final String INCOMPLETE = "It ends too early";

    /// The lines that rules are matched on.
    ///
    /// In `commands` and `pipelines` a line begins with the program's name, without its path and in small
    /// letters. Quotes and escapes are resolved, and words stand one blank apart. Literal characters in a
    /// word cannot be mistaken for syntax.
    ///
    /// @param commands every command that would run: as written, without wrappers (`sudo`, `env`), and
    ///     the commands inside of `sh -c`, `$(...)` and `eval`
    /// @param resolved commands that delete, with their paths resolved from the folder that they run in
    /// @param pipelines commands that feed each other, joined by ` | `
    /// @param writes every path that would be changed, as `write PATH` or `delete PATH`: absolute and
    ///     normalized, with `~` for the home of the user who runs it, and with the default paths of Talaria's
    ///     folders
    /// @param code programs in other languages that stand in the text (`python -c`, a here-document for
    ///     `node`)
    public record Lines(
            List<String> commands,
            List<String> resolved,
            List<String> pipelines,
            List<String> writes,
            List<String> code) {
        private static final Lines NONE = new Lines(List.of(), List.of(), List.of(), List.of(), List.of());

        public Lines {
            commands = List.copyOf(commands);
            resolved = List.copyOf(resolved);
            pipelines = List.copyOf(pipelines);
            writes = List.copyOf(writes);
            code = List.copyOf(code);
        }

        /// Returns these lines and those of another reading.
        public Lines and(Lines other) {
            return with(other, Reading::both);
        }

        private Lines without(Lines known) {
            return with(known, Reading::without);
        }

        private Lines with(Lines other, BinaryOperator<List<String>> change) {
            return new Lines(
                    change.apply(commands, other.commands),
                    change.apply(resolved, other.resolved),
                    change.apply(pipelines, other.pipelines),
                    change.apply(writes, other.writes),
                    change.apply(code, other.code));
        }
    }

    public Reading {
        exports = Map.copyOf(exports);
        unknown = List.copyOf(unknown);
        programs = Set.copyOf(programs);
        looked = Set.copyOf(looked);
    }

    public List<String> commands() {
        return lines.commands;
    }

    public List<String> resolved() {
        return lines.resolved;
    }

    public List<String> pipelines() {
        return lines.pipelines;
    }

    public List<String> writes() {
        return lines.writes;
    }

    public List<String> code() {
        return lines.code;
    }

    /// Reads a command's text without any knowledge of where it runs.
    public static Reading of(String raw) {
        return of(raw, ShellContext.UNKNOWN);
    }

    /// Reads a command. The time is proportional to its length, whatever it contains.
    ///
    /// @param before the surroundings that the command runs in
    public static Reading of(String raw, ShellContext before) {
        if (raw.length() > LONGEST) {
            return unreadable(raw, "it is longer than " + LONGEST + " characters");
        }
        if (raw.indexOf('\0') >= 0) {
            return unreadable(raw, "it holds a NUL character");
        }
        String text = UnknownValues.without(PlainText.of(raw).strip());
        Findings findings = new Findings();
        if (!text.equals(raw.strip())) {
            // A look-alike of a quote or a comment sign has no meaning to the shell, and must hide
            // nothing.
            var _ = new Evaluator(findings, before).start(UnknownValues.without(raw));
            findings.again();
        }
        State end = new Evaluator(findings, before).start(text);
        return findings.reading(raw, text, after(end, findings.marks, before), exports(end, findings.marks, before));
    }

    /// Returns what a shell that has run the whole text leaves to the next line that it reads.
    private static ShellContext after(State end, UnknownValues marks, ShellContext before) {
        Map<String, String> variables = new HashMap<>();
        end.variables.forEach((name, value) -> {
            if (!value.elements().isEmpty()) {
                variables.put(name, marks.outside(value.text()));
            }
        });
        Map<String, String> aliases = new HashMap<>();
        end.aliases.forEach((name, texts) -> aliases.put(name, marks.outside(String.join("\n", texts))));
        Map<String, String> functions = new HashMap<>();
        end.functions.forEach(
                (name, bodies) -> functions.put(name, bodies.iterator().next().source()));
        Optional<String> folder = UnknownValues.any(end.folder) ? Optional.empty() : Optional.of(end.folder);
        return new ShellContext(
                () -> folder.flatMap(path -> path.startsWith(ShellContext.START)
                        ? before.folder().get().map(_ -> before.folderOf(path))
                        : Optional.of(path)),
                variables,
                aliases,
                functions,
                Optional.empty(),
                before.home());
    }

    /// Returns the variables that programs and later commands of a session get.
    private static Map<String, String> exports(State end, UnknownValues marks, ShellContext before) {
        Map<String, String> all = new HashMap<>();
        end.variables.forEach((name, variable) -> {
            String value = variable.text();
            boolean home = name.equals("HOME") && value.equals(before.home().path());
            if (end.exported.contains(name) && !variable.elements().isEmpty() && !home) {
                all.put(name, marks.outside(value));
            }
        });
        return all;
    }

    /// Returns the findings of this reading that an earlier reading of the same lines does not have.
    /// An incomplete construct is left to the line that completes it.
    public Reading beyond(Reading earlier) {
        return new Reading(
                raw,
                text,
                lines.without(earlier.lines),
                without(unknown, earlier.unknown).stream()
                        .filter(why -> !why.startsWith(INCOMPLETE))
                        .toList(),
                programs,
                compound,
                unreadable,
                after,
                exports,
                looked);
    }

    private static List<String> without(List<String> all, List<String> known) {
        return all.stream().filter(one -> !known.contains(one)).toList();
    }

    /// Returns the lines of both lists, each once.
    public static List<String> both(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }

    /// Reads a program in another language: finds the commands that it seems to run.
    public static Reading ofCode(String code) {
        StringBuilder commands = new StringBuilder();
        EmbeddedCode.commands(code).forEach(one -> commands.append(one).append('\n'));
        code.lines()
                .map(String::strip)
                .filter(line -> EmbeddedCode.ESCAPE.matcher(line).lookingAt())
                .forEach(line -> commands.append(
                                EmbeddedCode.ESCAPE.matcher(line).replaceFirst(""))
                        .append('\n'));
        return of(commands.toString());
    }

    private static Reading unreadable(String raw, String why) {
        return new Reading(
                raw,
                "",
                Lines.NONE,
                List.of(),
                Set.of(),
                true,
                Optional.of(why),
                ShellContext.UNKNOWN,
                Map.of(),
                Set.of());
    }
}
