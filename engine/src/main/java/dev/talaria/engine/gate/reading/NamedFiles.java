package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Resolves the files that commands name, and knows the content that this text gives them.
final class NamedFiles {
    /// Paths of a process's own open files.
    private static final Pattern OWN_DESCRIPTORS = Pattern.compile("^/proc/(?:self|thread-self|\\$\\$)/fd/");
    /// Programs whose paths matter to the hard floor, whatever folder they run in.
    private static final Set<String> DESTROYERS =
            Set.of("rm", "find", "shred", "unlink", "rmdir", "mv", "chmod", "chown", "chgrp");

    private static final int MOST_PATHS = 5_000;
    private static final int MOST_LINKS = 20;

    private final Evaluator evaluator;
    private final Findings findings;

    NamedFiles(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
    }

    /// Returns the normal form of a path, which is the same for each way to write it.
    String key(String path, State state) {
        if (path.isEmpty()) {
            return path;
        }
        boolean absolute = path.charAt(0) == '/'
                || path.charAt(0) == '~'
                || path.startsWith(ShellContext.START)
                || UnknownValues.mark(path.charAt(0));
        String whole = path.startsWith("/")
                ? Paths.throughProcesses(path, evaluator.expander.way(state.folder))
                : absolute ? path : evaluator.expander.way(state.folder) + "/" + path;
        int up = state.links.isEmpty() ? -1 : whole.indexOf("/../");
        boolean through = up > 0
                && !UnknownValues.any(whole.substring(0, up))
                && throughLink(Paths.normal(whole.substring(0, up)), state).isPresent();
        if (through) { // `..` behind a link means the parent of the link's target
            String below = evaluator.surroundings.folderOf(linked(Paths.normal(whole.substring(0, up)), state));
            return key(below.substring(0, Math.max(0, below.lastIndexOf('/'))) + whole.substring(up + 3), state);
        }
        return linked(Paths.normal(whole), state);
    }

    /// Returns whether a path is that of a link that this text has made.
    boolean link(String path, State state) {
        return !state.links.isEmpty()
                && !path.isEmpty()
                && state.links.containsKey(
                        Paths.normal(path.startsWith("/") ? path : evaluator.expander.way(state.folder) + "/" + path));
    }

    private String linked(String path, State state) {
        String key = path;
        for (int i = 0; i < MOST_LINKS; i++) {
            Optional<String> through = throughLink(key, state);
            if (through.isEmpty()) {
                return key;
            }
            key = through.get();
        }
        findings.unknown("It follows more links than can be followed.");
        return key;
    }

    private static Optional<String> throughLink(String key, State state) {
        return state.links.entrySet().stream()
                .filter(link -> key.equals(link.getKey()) || key.startsWith(link.getKey() + "/"))
                .max(Comparator.comparingInt(link -> link.getKey().length()))
                .map(link -> Paths.normal(
                        link.getValue() + key.substring(link.getKey().length())));
    }

    /// Returns a file's content, if this text has written it.
    Optional<String> content(String path, State state) {
        return stream(path, state).map(Input::rest);
    }

    /// Takes a file's content, if it is known and nobody types it.
    Optional<String> taken(String path, State state) {
        return stream(path, state).map(Input::takeAll).filter(text -> !text.equals(ShellContext.TYPED));
    }

    /// Returns the input that a file provides, if it is known.
    Optional<Input> stream(String path, State state) {
        String normal = path.startsWith("/") ? Paths.normal(path) : path;
        String bare =
                normal.startsWith("/proc/") ? OWN_DESCRIPTORS.matcher(normal).replaceFirst("/dev/fd/") : normal;
        if (bare.equals("/dev/stdin") || bare.equals("/dev/fd/0") || bare.equals("-")) {
            return Optional.of(state.input);
        }
        if (bare.equals("/dev/null")) {
            return Optional.of(new Input(""));
        }
        if (bare.startsWith("/dev/fd/")) {
            Input open = state.descriptors.get(bare.substring("/dev/fd/".length()));
            return Optional.of(open == null ? new Input(UnknownValues.MADE) : open);
        }
        boolean none = state.files.isEmpty() && state.links.isEmpty(); // nearly always
        return none
                ? Optional.empty()
                : Optional.ofNullable(state.files.get(key(path, state))).map(Input::new);
    }

    /// Notes that a file is changed in a way that is not computed.
    void write(String verb, String written, State state) {
        noted(verb, written, state);
        if (verb.equals("write")) {
            filled(written, true, state);
        }
    }

    /// Notes that a file is changed.
    void noted(String verb, String written, State state) {
        String began = written.startsWith(ShellContext.START) ? evaluator.surroundings.folderOf(written) : written;
        String given =
                began.startsWith("/") ? Paths.throughProcesses(began, evaluator.expander.way(state.folder)) : began;
        if (given.isEmpty()) {
            return;
        }
        if (given.startsWith("~") && given.matches("~[+-]?\\d.*")) {
            findings.unknown("It " + verb + "s a file in one of the folders that the shell remembers.");
        }
        if (Paths.ofProcess(given)) {
            findings.unknown("It " + verb + "s a file by way of a process, and which one that is cannot be told.");
            return;
        }
        if (UnknownValues.any(given)) {
            unknownPath(verb, given);
            return;
        }
        boolean stays = given.charAt(0) == '/' || given.charAt(0) == '~';
        for (String folder : stays ? List.of("/") : folders(state)) {
            String key = key(stays ? given : folder + "/" + given, state);
            String path = Paths.wild(evaluator.surroundings.folderOf(key));
            if (findings.marks.made(path)) {
                unknownPath(verb, path);
            }
            if (!UnknownValues.any(path)) {
                ProtectedPaths.ways(evaluator.surroundings.home().shown(path), state.options.contains("dotglob"))
                        .forEach(way -> findings.write(verb, way));
            }
        }
    }

    /// Notes that a program has written something into a file.
    ///
    /// @param always whether the written content comes from this text, even if the file did not
    void filled(String path, boolean always, State state) {
        String key = key(path, state);
        around(key, state);
        if (always || state.files.containsKey(key)) {
            state.files.put(key, UnknownValues.MADE);
        }
    }

    /// Notes that a file is written by a path that leads out of the folder and back. It may be one of
    /// the known files there.
    void around(String key, State state) {
        if (key.startsWith(ShellContext.START + "/..")) {
            String name = key.substring(key.lastIndexOf('/'));
            state.files.replaceAll((path, text) -> path.endsWith(name) ? UnknownValues.MADE : text);
        }
    }

    /// Notes that a file is written whose name is a pattern. Only the shell knows which file that is.
    void wild(String path) {
        boolean odd = Globs.wild(path)
                && !path.startsWith("/tmp/")
                && !path.startsWith("/var/tmp/")
                && (path.startsWith(".") || path.startsWith("/") || path.startsWith("~") || path.contains("/."));
        if (odd) {
            findings.unknown("It writes to " + path + ", and which file that is depends on those there are.");
        }
    }

    private void unknownPath(String verb, String path) {
        if (findings.marks.made(path)) {
            findings.unknown("It " + verb + "s a file whose name cannot be told beforehand.");
        }
        String likely = findings.marks.withoutUnset(path);
        if (!UnknownValues.any(likely) && likely.startsWith("/")) {
            findings.write(verb, evaluator.surroundings.home().shown(Paths.normal(likely)));
        }
    }

    /// Returns the folders that a command may run in.
    private List<String> folders(State state) {
        String folder = evaluator.expander.way(state.folder);
        if (findings.marks.made(folder)) {
            findings.unknown("It changes files in a folder that cannot be told beforehand.");
        }
        return findings.marks.options(folder).orElse(List.of(folder));
    }

    /// Notes, for the hard floor, a command that deletes or moves, with its paths resolved.
    void resolve(String program, List<String> words, State state) {
        if (!DESTROYERS.contains(program)) {
            return;
        }
        for (String way : folders(state)) {
            String place = evaluator.surroundings.folderOf(way);
            String folder = UnknownValues.any(place) ? "" : place;
            List<String> found = new ArrayList<>();
            found.add(program);
            if (program.equals("find") && (words.size() == 1 || words.get(1).startsWith("-"))) {
                found.add(folder.isEmpty() ? "." : folder);
            }
            if (words.size() > MOST_PATHS) {
                findings.giveUp("it names more than " + MOST_PATHS + " paths");
                return;
            }
            for (String given : words.subList(1, words.size())) {
                String word = evaluator.surroundings.folderOf(given);
                found.add(
                        word.startsWith("-") || UnknownValues.any(word) || word.isEmpty()
                                ? word
                                : resolved(word, folder));
            }
            findings.resolved(evaluator.lines.command(found));
        }
    }

    private String resolved(String word, String folder) {
        boolean absolute = word.charAt(0) == '/' || word.charAt(0) == '~';
        if (!absolute && folder.isEmpty()) {
            return word;
        }
        return evaluator.surroundings.home().shown(Paths.wild(Paths.normal(absolute ? word : folder + "/" + word)));
    }
}
