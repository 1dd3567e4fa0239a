package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which files a program changes, as its arguments say.
final class Writes {
    /// How a program's arguments name what it changes.
    private enum Kind {
        /// All operands are written.
        ALL,
        /// All operands are deleted.
        DELETED,
        /// The last operand is written, or one inside of it; those before it are read.
        LAST,
        /// The same, and those before it are gone afterwards.
        MOVED,
        /// The first operand says how, the others are written.
        BUT_FIRST
    }

    private static final Map<String, Kind> PROGRAMS = Map.ofEntries(
            Map.entry("tee", Kind.ALL),
            Map.entry("sponge", Kind.ALL),
            Map.entry("touch", Kind.ALL),
            Map.entry("truncate", Kind.ALL),
            Map.entry("mkdir", Kind.ALL),
            Map.entry("mkfifo", Kind.ALL),
            Map.entry("shred", Kind.DELETED),
            Map.entry("rm", Kind.DELETED),
            Map.entry("rmdir", Kind.DELETED),
            Map.entry("unlink", Kind.DELETED),
            Map.entry("srm", Kind.DELETED),
            Map.entry("cp", Kind.LAST),
            Map.entry("install", Kind.LAST),
            Map.entry("ln", Kind.LAST),
            Map.entry("link", Kind.LAST),
            Map.entry("rsync", Kind.LAST),
            Map.entry("scp", Kind.LAST),
            Map.entry("mv", Kind.MOVED),
            Map.entry("chmod", Kind.BUT_FIRST),
            Map.entry("chown", Kind.BUT_FIRST),
            Map.entry("chgrp", Kind.BUT_FIRST),
            Map.entry("chattr", Kind.BUT_FIRST),
            Map.entry("setfacl", Kind.BUT_FIRST));

    /// Short options that take a value, by program.
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("truncate", "srco"),
            Map.entry("touch", "drt"),
            Map.entry("mkdir", "mZ"),
            Map.entry("shred", "ns"),
            Map.entry("cp", "tST"),
            Map.entry("mv", "tS"),
            Map.entry("ln", "tS"),
            Map.entry("install", "tmgoS"),
            Map.entry("rsync", "efTBMp"),
            Map.entry("scp", "cFiJloPSD"));

    /// Options that name a file which is written, whatever program has them.
    private static final Map<String, List<String>> OUTPUTS = Map.of(
            "curl", List.of("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--output-dir", "--trace"),
            "wget", List.of("-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file", "-a"),
            "sort", List.of("-o", "--output"),
            "tar", List.of("-C", "--directory"),
            "unzip", List.of("-d"),
            "split", List.of(),
            "gpg", List.of("-o", "--output"),
            "openssl", List.of("-out"),
            "ssh-keygen", List.of("-f"),
            "patch", List.of("-o", "--output", "-d", "--directory"));

    /// Programs for which an option that is not known may change everything.
    private static final Set<String> CAREFUL = Set.of(
            "rm",
            "git",
            "find",
            "chmod",
            "chown",
            "dd",
            "shred",
            "truncate",
            "mv",
            "cp",
            "tee",
            "kill",
            "rsync",
            "docker",
            "podman",
            "install",
            "ln",
            "sed",
            "xargs",
            "sudo",
            "env");

    private Writes() {}

    static void of(String program, List<String> arguments, State state, Evaluator evaluator) {
        careful(program, arguments, evaluator);
        Kind kind = PROGRAMS.get(program);
        if (kind != null) {
            operands(program, kind, arguments, state, evaluator);
        }
        switch (program) {
            case "dd" ->
                arguments.stream()
                        .filter(word -> word.startsWith("of="))
                        .forEach(word -> evaluator.targets().write("write", word.substring(3), state));
            case "sed", "perl", "ruby" -> inPlace(arguments, state, evaluator);
            case "git" -> {
                boolean edits = arguments.contains("config")
                        && arguments.stream().anyMatch(word -> word.equals("-e") || word.startsWith("--ed"));
                if (edits) {
                    evaluator.targets().write("write", "~/.gitconfig", state);
                }
            }
            case "ln" -> link(arguments, state, evaluator);
            default -> outputs(program, arguments, state, evaluator);
        }
    }

    private static void careful(String program, List<String> arguments, Evaluator evaluator) {
        if (!CAREFUL.contains(program)) {
            return;
        }
        for (String word : arguments) {
            if (word.equals("--")) {
                return;
            }
            if (!word.isEmpty() && evaluator.findings.marks.made(word.substring(0, 1))) {
                evaluator.findings.unknown("It gives " + program + " words that cannot be told beforehand.");
                return;
            }
        }
    }

    private static void operands(String program, Kind kind, List<String> arguments, State state, Evaluator evaluator) {
        String letters = VALUES.getOrDefault(program, "");
        List<String> operands = new ArrayList<>();
        Optional<String> folder = Optional.empty();
        boolean options = true;
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (options && word.equals("--")) {
                options = false;
            } else if (options && word.length() > 1 && word.startsWith("-")) {
                boolean takes = !word.startsWith("--") && letters.indexOf(word.charAt(word.length() - 1)) >= 0;
                boolean target =
                        letters.indexOf('t') >= 0 && (word.matches("-[a-zA-Z]*t") || word.equals("--target-directory"));
                if (word.startsWith("--t") && word.indexOf('=') > 0) {
                    folder = Optional.of(word.substring(word.indexOf('=') + 1));
                } else if (target && i + 1 < arguments.size()) {
                    folder = Optional.of(arguments.get(i + 1));
                }
                i += takes || (target && word.startsWith("--")) ? 1 : 0;
            } else {
                operands.add(word);
            }
        }
        Targets targets = evaluator.targets();
        switch (kind) {
            case ALL ->
                operands.forEach(path -> {
                    targets.write("write", path, state);
                    if (program.equals("tee") || program.equals("truncate")) {
                        targets.wild(path);
                    }
                });
            case DELETED -> operands.forEach(path -> targets.write("delete", path, state));
            case BUT_FIRST -> operands.stream().skip(1).forEach(path -> targets.write("write", path, state));
            case LAST, MOVED -> copied(kind, operands, folder, state, targets);
        }
    }

    private static void copied(
            Kind kind, List<String> operands, Optional<String> folder, State state, Targets targets) {
        if (operands.isEmpty()) {
            return;
        }
        boolean last = folder.isEmpty() && operands.size() > 1;
        String target = folder.orElse(operands.getLast());
        List<String> sources =
                last ? operands.subList(0, operands.size() - 1) : folder.isPresent() ? operands : List.of();
        targets.write("write", target, state);
        targets.wild(target);
        for (String source : sources) {
            // If the target is a folder, this is what is written.
            String name = source.replaceFirst("/+$", "").replaceFirst("^.*/", "");
            if (!Marks.any(target) && !name.isEmpty()) {
                targets.write("write", target + "/" + name, state);
            }
            if (kind == Kind.MOVED) {
                targets.write("delete", source, state);
            }
            state.copies.put(targets.key(target, state), targets.key(source, state));
            state.copies.put(targets.key(target + "/" + name, state), targets.key(source, state));
            String content = targets.content(source, state).orElse("");
            if (!content.isEmpty()) {
                state.files.put(targets.key(target, state), content);
                state.files.put(targets.key(target + "/" + name, state), content);
            }
        }
    }

    private static void inPlace(List<String> arguments, State state, Evaluator evaluator) {
        boolean changes = arguments.stream().anyMatch(word -> word.matches("-[a-zA-Z]*i.*|--in-place.*|--i\\w*"));
        boolean script = arguments.stream()
                .anyMatch(word -> word.matches("-[a-zA-Z]*[ef]|--expression.*|--file.*|-[a-zA-Z]*e.*"));
        if (changes) {
            arguments.stream()
                    .filter(word -> !word.startsWith("-"))
                    .skip(1) // the script, or what its option says
                    .forEach(word -> evaluator.targets().write("write", word, state));
            if (script) {
                arguments.stream()
                        .filter(word -> word.startsWith("/") || word.startsWith("~") || word.startsWith("."))
                        .forEach(word -> evaluator.targets().write("write", word, state));
            }
        }
    }

    private static void link(List<String> arguments, State state, Evaluator evaluator) {
        List<String> operands =
                arguments.stream().filter(word -> !word.startsWith("-")).toList();
        if (operands.size() == 2 && operands.stream().noneMatch(Marks::any)) {
            String name = operands.getLast();
            String target = operands.getFirst();
            String from = evaluator.targets().key(name, state);
            boolean absolute = target.startsWith("/") || target.startsWith("~");
            String to = absolute ? target : from.substring(0, Math.max(1, from.lastIndexOf('/'))) + "/" + target;
            state.links.put(from, to);
        }
    }

    private static void outputs(String program, List<String> arguments, State state, Evaluator evaluator) {
        List<String> options = OUTPUTS.get(program);
        boolean reads = (program.equals("tar")
                        && arguments.stream().noneMatch(word -> word.matches("-?[a-zA-Z]*x[a-zA-Z]*|--extract|--get")))
                || (program.equals("ssh-keygen") && arguments.stream().anyMatch(word -> word.matches("-[lyBF]")));
        if (options == null || reads) {
            return;
        }
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            Optional<String> path = Optional.empty();
            for (String option : options) {
                boolean shortOne = !option.startsWith("--");
                if (word.equals(option) && i + 1 < arguments.size()) {
                    path = Optional.of(arguments.get(i + 1));
                } else if (shortOne && word.startsWith(option) && word.length() > option.length()) {
                    path = Optional.of(word.substring(option.length()));
                } else if (!shortOne && word.startsWith(option + "=")) {
                    path = Optional.of(word.substring(option.length() + 1));
                } else if (shortOne && word.matches("-[a-zA-Z]+" + option.charAt(1)) && i + 1 < arguments.size()) {
                    path = Optional.of(arguments.get(i + 1)); // -sSLo file
                }
            }
            path.filter(one -> !one.equals("-")).ifPresent(one -> {
                evaluator.targets().write("write", one, state);
                if (program.equals("curl") || program.equals("wget")) {
                    state.files.put(evaluator.targets().key(one, state), Marks.ORDINARY);
                }
            });
        }
    }
}
