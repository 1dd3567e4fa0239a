package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Collects what the readers of nested texts find. Enforces the limits that keep hostile texts cheap.
final class Findings {
    /// The deepest nesting of scripts in scripts: people need three levels.
    static final int DEEPEST = 12;

    private static final int MOST_COMMANDS = 4_000;
    private static final int MOST_WORDS = 10_000;
    private static final int MOST_CHARS = 3 * Reading.LONGEST; // read and written in all, nested texts at each level
    private static final int MOST_SCANNED = 300_000; // characters looked at to find where a formula ends
    private static final int MOST_EXPANDED = 64_000;
    private static final int LONGEST_VALUE = 20_000;
    private static final int MOST_UNKNOWN = 20;
    private static final int LONGEST_ORPHAN = 2_000;

    /// A noted write to a file whose name looks like an option or a command. A pattern may expand to
    /// such a name.
    private static final Pattern ODD_NAME = Pattern.compile("(?:^\\w+ |/| )-|[;&|$`\n<>]");

    final UnknownValues marks = new UnknownValues();
    final Set<String> looked = new HashSet<>(); // names of variables
    private final Set<String> commands = new LinkedHashSet<>();
    private final Set<String> resolved = new LinkedHashSet<>();
    private final Set<String> writes = new LinkedHashSet<>();
    private final Set<String> unknown = new LinkedHashSet<>();
    private final List<String> code = new ArrayList<>();
    private final List<String> pipelines = new ArrayList<>();
    private final Set<String> programs = new HashSet<>();
    private final List<String> orphans = new ArrayList<>();
    private int chars;
    private int counted;
    private int words;
    private int expanded;
    private int scanned;
    private boolean compound;
    private boolean salvaged;
    private boolean oddNames;
    private Optional<String> unreadable = Optional.empty();

    /// Resets the counters to read the same text in another form. The findings stay.
    void again() {
        chars = 0;
        expanded = 0;
        words = 0;
        counted = 0;
    }

    /// Counts a text of this length before it is read. Returns whether the limits still allow it.
    boolean admit(int length, int depth) {
        chars += length;
        if (depth > DEEPEST) {
            giveUp("commands are nested more than " + DEEPEST + " deep in it");
        } else if (chars > MOST_CHARS) {
            giveUp("its nested commands are too long");
        }
        return unreadable.isEmpty();
    }

    /// Counts a word of a command.
    void word() {
        if (++words > MOST_WORDS) {
            giveUp("its commands have more than " + MOST_WORDS + " words");
        }
    }

    void command(String program, String line) {
        if (++counted > MOST_COMMANDS) {
            giveUp("it holds more than " + MOST_COMMANDS + " commands");
            return;
        }
        if (admit(line.length(), 0)) {
            programs.add(program);
            commands.add(line);
        }
    }

    /// Notes a command with its paths resolved from the folder that it runs in.
    void resolved(String line) {
        if (admit(line.length(), 0)) {
            resolved.add(line);
        }
    }

    /// Notes a changed path.
    ///
    /// @param verb `write` or `delete`
    void write(String verb, String path) {
        if (admit(path.length(), 0)) {
            String written = verb + " " + path;
            writes.add(written);
            oddNames |= ODD_NAME.matcher(written).find();
        }
    }

    /// Returns whether the text creates files whose names are options or commands. A word with `*`
    /// may become such a name.
    boolean oddNames() {
        return oddNames;
    }

    /// Notes, in a sentence, something that is not known.
    void unknown(String why) {
        if (unknown.size() < MOST_UNKNOWN) {
            unknown.add(why);
        }
    }

    /// Notes a program in another language.
    void code(String text) {
        if (admit(text.length(), 0)) {
            code.add(marks.show(text));
        }
    }

    /// Notes a here-document without an end. It is read as commands, too: somebody may still type its
    /// end.
    void orphan(String text) {
        if (salvage()) {
            orphans.add(text);
        } else if (text.length() > LONGEST_ORPHAN) {
            giveUp("its here-documents have no end");
        }
    }

    List<String> orphans() {
        return List.copyOf(orphans);
    }

    void pipeline(String line) {
        if (admit(line.length(), 0)) {
            pipelines.add(line);
        }
    }

    /// Counts the length of a value that is put into a word. Returns whether the limits still allow
    /// it.
    boolean expand(String value) {
        expanded += value.length();
        if (expanded > MOST_EXPANDED || value.length() > LONGEST_VALUE) {
            giveUp("its variables expand to more than " + Math.min(MOST_EXPANDED, LONGEST_VALUE) + " characters");
        }
        return unreadable.isEmpty();
    }

    void giveUp(String why) {
        if (unreadable.isEmpty()) {
            unreadable = Optional.of(why);
        }
    }

    /// Counts a character that the parser looks at in advance. Returns whether the limits still allow
    /// it.
    boolean scan() {
        if (++scanned > MOST_SCANNED) {
            giveUp("its expansions are too long");
        }
        return unreadable.isEmpty();
    }

    /// Returns true the first time. The text behind a quote without an end is read once more, as if
    /// the quote were not there.
    boolean salvage() {
        boolean first = !salvaged;
        salvaged = true;
        return first;
    }

    boolean over() {
        return unreadable.isPresent();
    }

    void compounded() {
        compound = true;
    }

    /// Returns the commands so far.
    Set<String> commands() {
        return commands;
    }

    List<String> pipelines() {
        return pipelines;
    }

    /// Returns everything that was found.
    ///
    /// @param raw the text as it was written
    /// @param text the text without disguises
    Reading reading(String raw, String text, ShellContext after, Map<String, String> exports) {
        return new Reading(
                raw,
                text,
                new Reading.Lines(List.copyOf(commands), List.copyOf(resolved), pipelines, List.copyOf(writes), code),
                List.copyOf(unknown),
                programs,
                compound,
                unreadable,
                after,
                exports,
                looked);
    }
}
