package dev.talaria.engine.gate.rules;

import dev.talaria.api.Reach;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// One row of a table: when a command is dangerous, and what that is called.
///
/// @param key what people approve, and what the audit log says
/// @param why a sentence for the person who is asked
/// @param on which form of the command is looked at
/// @param harm what it damages: the rule counts where that is in reach
/// @param programs names that a line must begin with; empty means any
/// @param has texts in small letters of which a line must hold one; empty means none is needed. They make the rule
/// cheap
/// @param match patterns of which one must be found
/// @param unless patterns of which none may be found
public record Rule(
        String key,
        String why,
        On on,
        Set<Reach> harm,
        Set<String> programs,
        List<String> has,
        List<LinePattern> match,
        List<LinePattern> unless) {

    /// A form of a command.
    public enum On {
        /// Each command, from its program's name on, as it is and in its normal form.
        COMMAND,
        /// Each command in its normal form alone: the verb first, options spelled out, global options left out.
        NORMAL,
        /// Commands that feed each other.
        PIPELINE,
        /// Each path that is changed: `write PATH` or `delete PATH`.
        WRITE,
        /// Each program in another language that stands in the text.
        CODE,
        /// The whole text, unless it only shows or searches text.
        TEXT,
        /// Each statement that a command is given which may be a database's client: in its words, or in what it reads.
        STATEMENT,
        /// Each statement that a database's client is given.
        CLIENT
    }

    public Rule {
        harm = Set.copyOf(harm);
        programs = Set.copyOf(programs);
        has = has.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList(); // a line is looked at in small letters
        match = List.copyOf(match);
        unless = List.copyOf(unless);
    }

    boolean matches(String line) {
        return match.stream().anyMatch(pattern -> pattern.foundIn(line))
                && unless.stream().noneMatch(pattern -> pattern.foundIn(line));
    }
}
