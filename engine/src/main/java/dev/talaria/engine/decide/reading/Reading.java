package dev.talaria.engine.decide.reading;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A command's text in the forms that rules are matched on.
///
/// In `commands` and `pipelines` a line begins with the program's name, without its path and in small letters; quotes
/// and escapes are resolved, words stand one blank apart, and what is literal in a word cannot be taken for syntax.
///
/// @param raw the text as it was written
/// @param text the same without escape sequences and look-alikes
/// @param commands every command that would run: as written, without what stands in front (`sudo`, `env`), and the
///     contents of `sh -c`, `$(...)`, `eval` and the like
/// @param pipelines commands that feed each other, joined by ` | `
/// @param programs the names of all programs
/// @param compound whether there is more to it than one program and its words
/// @param unreadable why the text cannot be judged, if so: nothing else in here is complete then
public record Reading(
        String raw,
        String text,
        List<String> commands,
        List<String> pipelines,
        Set<String> programs,
        boolean compound,
        Optional<String> unreadable) {

    /// The longest text that is read at all.
    public static final int LONGEST = 128_000;

    public Reading {
        commands = List.copyOf(commands);
        pipelines = List.copyOf(pipelines);
        programs = Set.copyOf(programs);
    }

    /// Reads a command. Takes time in proportion to its length, whatever it says.
    public static Reading of(String raw) {
        if (raw.length() > LONGEST) {
            return unreadable(raw, "it is longer than " + LONGEST + " characters");
        }
        if (raw.indexOf('\0') >= 0) {
            return unreadable(raw, "it holds a NUL character");
        }
        String text = PlainText.of(raw).strip();
        Findings findings = new Findings();
        new ShellReader(text, findings, 0).read();
        return new Reading(
                raw,
                text,
                findings.commands(),
                findings.pipelines(),
                findings.programs(),
                findings.compound(),
                findings.unreadable());
    }

    private static Reading unreadable(String raw, String why) {
        return new Reading(raw, "", List.of(), List.of(), Set.of(), true, Optional.of(why));
    }
}
