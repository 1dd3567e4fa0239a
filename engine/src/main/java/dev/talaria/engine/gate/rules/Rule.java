package dev.talaria.engine.gate.rules;

import dev.talaria.api.ReachableArea;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// One row of a table: which commands are dangerous, and the name of the danger.
///
/// @param key the name that people approve, and that the audit log contains
/// @param why a sentence for the person who is asked
/// @param on the form of the command that the rule is matched on
/// @param harm what the command damages: the rule counts where that is in reach
/// @param programs names that a line must begin with; empty means any
/// @param has texts in small letters; a line must contain one of them, unless the list is empty. They
///     make the rule cheap
/// @param match patterns; one must be found
/// @param unless patterns; none may be found
public record Rule(
        String key,
        String why,
        On on,
        Set<ReachableArea> harm,
        Set<String> programs,
        List<String> has,
        List<LinePattern> match,
        List<LinePattern> unless) {

    /// A form of a command.
    public enum On {
        /// Each command, from its program's name on, as it is and in its normal form.
        COMMAND,
        /// Each command in its normal form only: the verb first, options spelled out, global options
        /// left out.
        NORMAL,
        /// Commands joined by pipes.
        PIPELINE,
        /// Each path that is changed: `write PATH` or `delete PATH`.
        WRITE,
        /// Each program in another language that stands in the text.
        CODE,
        /// The whole text, unless it only shows or searches text.
        TEXT,
        /// Each statement passed to a command that may be a database's client: in its words, or in
        /// its input.
        STATEMENT,
        /// Each statement passed to a database's client.
        CLIENT
    }

    public Rule {
        harm = Set.copyOf(harm);
        programs = Set.copyOf(programs);
        has = has.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList(); // lines are compared in small letters
        match = List.copyOf(match);
        unless = List.copyOf(unless);
    }

    boolean matches(String line) {
        return match.stream().anyMatch(pattern -> pattern.foundIn(line))
                && unless.stream().noneMatch(pattern -> pattern.foundIn(line));
    }
}
