package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// What has been read so far, shared by the readers of nested texts. Holds the bounds that keep hostile texts cheap.
final class Findings {
    /// A script in a script in a script: people need three.
    static final int DEEPEST = 12;

    private static final int MOST_COMMANDS = 6_000;
    private static final int MOST_CHARS = 3 * Reading.LONGEST; // read and written in all, nested texts at each level
    private static final int MOST_SCANNED = 300_000; // characters looked at to find where `${` ends
    private static final int MOST_EXPANDED = 64_000;
    private static final int MOST_VARIABLES = 2_000;
    private static final int LONGEST_VALUE = 20_000;

    private static final int TOO_LONG = Reading.LONGEST + 1;

    /// The name under which what is read is read as commands.
    static final String INPUT = "<stdin>";

    private final Set<String> commands = new LinkedHashSet<>();
    private final Set<String> resolved = new LinkedHashSet<>();
    private final List<String> pipelines = new ArrayList<>();
    private final Set<String> programs = new HashSet<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<String, String> functions = new HashMap<>();
    private final Set<String> exported = new HashSet<>();
    private final Set<String> called = new HashSet<>(); // functions and aliases that are being read
    private final Set<String> several = new HashSet<>(); // variables with one value after the other
    private final Optional<String> input;
    private List<String> arguments = List.of();
    private Folder folder;
    private int chars;
    private int counted;
    private int expanded;
    private int scanned;
    private boolean compound;
    private boolean salvaged;
    private boolean unsure;
    private Optional<String> unreadable = Optional.empty();

    Findings(Surroundings before) {
        variables.putAll(before.variables());
        exported.addAll(before.variables().keySet());
        aliases.putAll(before.aliases());
        functions.putAll(before.functions());
        input = before.input().map(text -> text.length() > Reading.LONGEST ? text.substring(0, TOO_LONG) : text);
        folder = new Folder(before.folder());
    }

    /// The folder that a command would run in: looked up only if it matters.
    ///
    /// @param start where the shell began, or came to by an absolute path
    /// @param way relative steps from there
    record Folder(Supplier<Optional<String>> start, String way) {
        private static final int LONGEST = 1000;

        Folder(Supplier<Optional<String>> start) {
            this(start, "");
        }

        Optional<String> path() {
            return way.isEmpty() ? start.get() : Paths.resolve("." + way, start.get());
        }

        /// Returns where `cd` leads from here.
        Folder to(String target) {
            boolean absolute = target.startsWith("/") || target.equals("~") || target.startsWith("~/");
            if (absolute) {
                Optional<String> there = Paths.resolve(target, Optional.empty());
                return new Folder(() -> there);
            }
            return target.indexOf('$') >= 0 || way.length() + target.length() > LONGEST
                    ? new Folder(Optional::empty)
                    : new Folder(start, way + "/" + target);
        }
    }

    Folder folder() {
        return folder;
    }

    /// Goes on in another folder, or back to one after a subshell.
    void folder(Folder to) {
        folder = to;
    }

    /// Begins anew with the same text in another form: what was found stays.
    void again(Surroundings before) {
        folder = new Folder(before.folder());
        chars = 0;
    }

    /// Notes that a text of this length is about to be read; returns whether that is still all right.
    boolean admit(int length, int depth) {
        chars += length;
        if (depth > DEEPEST) {
            giveUp("commands are nested more than " + DEEPEST + " deep in it");
        } else if (chars > MOST_CHARS) {
            giveUp("its nested commands are too long");
        }
        return unreadable.isEmpty();
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

    /// Notes a command with its paths as they would be found from its folder.
    void resolved(String line) {
        if (admit(line.length(), 0)) {
            resolved.add(line);
        }
    }

    void pipeline(String line) {
        pipelines.add(line);
    }

    void variable(String name, String value) {
        if (variables.size() >= MOST_VARIABLES && !variables.containsKey(name)) {
            giveUp("it sets more than " + MOST_VARIABLES + " variables");
            return;
        }
        variables.put(name, value);
        several.remove(name);
    }

    /// Sets a variable that has one value after the other.
    void several(String name, List<String> values) {
        variable(name, String.join(" ", values));
        several.add(name);
    }

    /// Returns whether an expansion stands for several values: each is a word of its own, quoted or not.
    boolean severalIn(String written) {
        return (!several.isEmpty() && several.contains(written.replaceAll("[${}]", "")))
                || written.equals("$@")
                || written.equals("${@}");
    }

    void forget(String name) {
        variables.remove(name);
        aliases.remove(name);
        functions.remove(name);
    }

    void exported(String name) {
        exported.add(name);
    }

    /// Returns a variable that the text itself has set.
    Optional<String> variable(String name) {
        Optional<String> value = Optional.ofNullable(variables.get(name));
        int length = value.map(String::length).orElse(0);
        expanded += length;
        if (expanded > MOST_EXPANDED || length > LONGEST_VALUE) {
            giveUp("its variables expand to more than " + Math.min(MOST_EXPANDED, LONGEST_VALUE) + " characters");
            return Optional.empty();
        }
        return value;
    }

    void alias(String name, String commands) {
        if (aliases.size() < MOST_VARIABLES) {
            aliases.put(name, commands);
        }
    }

    void function(String name, String body) {
        if (functions.size() < MOST_VARIABLES) {
            functions.put(name, body);
        }
    }

    Optional<String> alias(String name) {
        return Optional.ofNullable(aliases.get(name));
    }

    Optional<String> function(String name) {
        return Optional.ofNullable(functions.get(name));
    }

    /// Reads what an alias or a function stands for, with its arguments; not once more inside of itself.
    void inside(String name, List<String> given, Runnable reading) {
        if (!called.add(name)) {
            return;
        }
        List<String> before = arguments;
        arguments = given;
        reading.run();
        arguments = before;
        called.remove(name);
    }

    /// Returns what commands read that nothing else is fed to.
    Optional<String> input() {
        return called.contains(INPUT) ? Optional.empty() : input;
    }

    List<String> arguments() {
        return arguments;
    }

    void arguments(List<String> given) {
        arguments = List.copyOf(given);
    }

    String argument(String number) {
        int index = number.length() > 4 || !number.chars().allMatch(Character::isDigit) ? 0 : Integer.parseInt(number);
        return index >= 1 && index <= arguments.size() ? arguments.get(index - 1) : "";
    }

    void giveUp(String why) {
        if (unreadable.isEmpty()) {
            unreadable = Optional.of(why);
        }
    }

    /// Counts a character that is looked at ahead of the reader; returns whether that is still all right.
    boolean scan() {
        if (++scanned > MOST_SCANNED) {
            giveUp("its expansions are too long");
        }
        return unreadable.isEmpty();
    }

    /// Notes that a shell may see another structure than the reader does: no text is mere data from here on.
    void unsure() {
        unsure = true;
    }

    boolean isUnsure() {
        return unsure;
    }

    /// Returns true the first time: what follows a quote without an end is read once more as if it were none.
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

    boolean compound() {
        return compound;
    }

    List<String> commands() {
        return List.copyOf(commands);
    }

    List<String> resolved() {
        return List.copyOf(resolved);
    }

    List<String> pipelines() {
        return pipelines;
    }

    Set<String> programs() {
        return programs;
    }

    /// Returns what a shell that ran all this would leave to the next line that it reads.
    Surroundings after() {
        return new Surroundings(folder::path, variables, aliases, functions, Optional.empty());
    }

    /// Returns the variables that programs are given, and later commands of a session.
    Map<String, String> exports() {
        Map<String, String> all = new HashMap<>();
        exported.forEach(name -> {
            if (variables.containsKey(name)) {
                all.put(name, variables.get(name));
            }
        });
        return all;
    }

    Optional<String> unreadable() {
        return unreadable;
    }
}
