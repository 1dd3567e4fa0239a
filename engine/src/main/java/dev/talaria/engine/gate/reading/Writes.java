package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds the files that a program changes, as its arguments name them.
final class Writes {
    /// How a program's arguments name the files that it changes.
    private enum Kind {
        /// All operands are written.
        ALL,
        /// All operands are deleted.
        DELETED,
        /// The last operand is written, or a file in it. The operands before it are read.
        LAST,
        /// The same, and the operands before it are deleted.
        MOVED,
        /// The first operand is a mode or an owner, the others are written.
        BUT_FIRST,
        /// The first operand is written.
        FIRST,
        /// The second operand is written.
        SECOND,
        /// The last of several operands is written, if it is a path on this machine.
        RESULT,
        /// All operands are written, if an option asks for it.
        IN_PLACE
    }

    /// One line for each kind, with its programs.
    private static final Map<String, Kind> PROGRAMS = programs("""
            ALL tee sponge touch truncate mkdir mkfifo setfacl mktemp dos2unix unix2dos nano pico micro strip
            DELETED shred rm rmdir unlink srm gzip gunzip bzip2 bunzip2 xz unxz compress
            LAST cp install ln link rsync scp
            MOVED mv
            BUT_FIRST chmod chown chgrp chattr
            FIRST mknod zip script
            IN_PLACE history yq gofmt goimports shfmt prettier clang-format
            SECOND split uniq xxd
            RESULT convert magick ffmpeg objcopy sftp dpkg-deb bindfs
            """);

    /// Programs with subcommands that copy files: `docker cp`.
    private static final Map<String, Set<String>> COPYING = Map.of(
            "docker", Set.of("cp"),
            "podman", Set.of("cp"),
            "nerdctl", Set.of("cp"),
            "kubectl", Set.of("cp"),
            "oc", Set.of("cp", "rsync"),
            "rclone", Set.of("copy", "copyto", "move", "moveto", "sync", "bisync", "copyurl"),
            "aws", Set.of("cp", "mv", "sync"),
            "gsutil", Set.of("cp", "mv", "rsync"),
            "gcloud", Set.of("cp", "mv", "rsync", "scp"),
            "mc", Set.of("cp", "mv", "mirror"));

    /// Short options that take a value, by program.
    private static final Map<String, String> VALUES =
            Words.rows("""
            truncate sr
            touch drt
            mkdir m
            mkfifo m
            mknod m
            mktemp p
            shred ns
            cp tS
            mv tS
            ln tS
            install tmgoS
            rsync efTBM
            scp cFiJloPSDX
            sftp BbcDFiJloPRSsX
            split abClnt
            uniq fsw
            xxd clgosRn
            script cEIOBTmo
            zip bntxisP
            setfacl mMxXn
            """).stream().collect(Collectors.toMap(List::getFirst, List::getLast));

    /// Long options that take a value in the next word, in any program.
    private static final List<String> LONG_VALUES = Words.list("""
            target-directory suffix mode owner group size date exclude include filter rsh exclude-from
            include-from from files-from max-size min-size bwlimit log-file chmod chown temp-dir partial-dir backup-dir
            timeout port password-file out-format link-dest compare-dest copy-dest rsync-path command log-out
            log-io strip-program modify remove
            """);

    /// Programs that delete their input files, unless an option makes them print the result.
    private static final Set<String> PRINTING = Set.of("gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "compress");

    /// Programs that keep a file's content, or that are evaluated elsewhere.
    private static final Set<String> KEEPING = Set.of("touch", "mkdir", "mkfifo", "setfacl", "mktemp", "tee");

    /// Programs that write their input or arguments into a file.
    private static final Set<String> FILLING =
            Set.of("sort", "shuf", "uniq", "sponge", "dd", "split", "csplit", "xxd", "iconv", "paste", "join");

    /// Programs for which an unknown option may change everything.
    private static final Set<String> CAREFUL = Words.set("""
            rm git find chmod chown dd shred truncate mv cp tee kill rsync docker podman install ln sed xargs sudo env
            """);

    private Writes() {}

    private static Map<String, Kind> programs(String table) {
        Map<String, Kind> all = new HashMap<>();
        Words.rows(table)
                .forEach(row -> row.stream().skip(1).forEach(name -> all.put(name, Kind.valueOf(row.getFirst()))));
        return all;
    }

    static void of(String program, List<String> arguments, State state, Evaluator evaluator) {
        careful(program, arguments, evaluator);
        Kind kind = PROGRAMS.get(program);
        if (kind != null) {
            operands(program, kind, arguments, state, evaluator);
        }
        Consumer<String> write = path -> {
            evaluator.targets.noted("write", path, state);
            evaluator.targets.filled(path, FILLING.contains(program), state);
        };
        switch (program) {
            case "dd" ->
                arguments.stream()
                        .filter(word -> word.startsWith("of="))
                        .forEach(word -> write.accept(word.substring(3)));
            case "sed", "gsed", "ssed" -> {
                Sed sed = Sed.of(arguments);
                sed.scripts()
                        .forEach(script -> SedScript.of(script)
                                .writes()
                                .forEach(path -> evaluator.targets.filled(path, true, state)));
                if (sed.inPlace()) {
                    sed.files().forEach(write);
                }
            }
            case "perl", "ruby" -> inPlace(arguments, write);
            case "git" -> GitWrites.of(arguments, state.input.rest(), write);
            case "csplit" -> {
                String prefix = Arguments.of(arguments, "bfn", List.of("prefix", "suffix-format", "digits"))
                        .value("f", "prefix")
                        .orElse("xx");
                List.of("00", "01", "02").forEach(end -> write.accept(prefix + end));
            }
            case "ln", "link" -> link(program, arguments, state, evaluator);
            case "ed", "ex", "vi", "vim", "nvim", "patch" ->
                arguments.forEach(path -> evaluator.targets.filled(path, false, state));
            case "awk", "gawk" -> {
                if (arguments.stream().anyMatch(word -> word.matches("-i.*|--include.*"))) {
                    arguments.forEach(path -> evaluator.targets.filled(path, false, state));
                }
                outputs(program, arguments, state, evaluator);
            }
            case "cp" -> {
                boolean links = arguments.stream().anyMatch(word -> word.matches("-[a-zA-Z]*[sl].*|--(?:sy|l).*"));
                if (links || arguments.stream().anyMatch(word -> evaluator.targets.link(word, state))) {
                    link(program, arguments, state, evaluator);
                }
            }
            case "rsync" ->
                Arguments.of(arguments, "efTBM", LONG_VALUES)
                        .values("T", "temp-dir", "backup-dir", "partial-dir", "log-file", "write-batch")
                        .forEach(write);
            default -> outputs(program, arguments, state, evaluator);
        }
        int module = program.startsWith("python") ? arguments.indexOf("-m") : -1;
        if (module >= 0 && module + 1 < arguments.size()) {
            List<String> rest = arguments.subList(module + 2, arguments.size());
            OutputOptions.of(arguments.get(module + 1), rest).forEach(write); // python -m pip
        }
        UnpackedFiles.of(program, arguments, state.input.rest(), path -> written(program, path, state, evaluator));
        copiedByVerb(program, arguments, write);
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

    private static void operands(String program, Kind kind, List<String> words, State state, Evaluator evaluator) {
        Arguments all = Arguments.of(words, VALUES.getOrDefault(program, ""), LONG_VALUES);
        boolean hasTarget = VALUES.getOrDefault(program, "").indexOf('t') >= 0 && !program.equals("touch");
        Optional<String> folder = hasTarget ? all.value("t", "target-directory") : Optional.empty();
        List<String> operands = all.operands();
        NamedFiles targets = evaluator.targets;
        switch (kind) {
            case ALL ->
                operands.forEach(path -> {
                    targets.noted("write", path, state);
                    if (!KEEPING.contains(program) || (program.equals("tee") && all.has("a", "append"))) {
                        targets.filled(path, FILLING.contains(program), state);
                    }
                    if (program.equals("tee") || program.equals("truncate")) {
                        targets.wild(path);
                    }
                });
            case DELETED -> {
                boolean unpacks = PRINTING.contains(program);
                boolean prints = unpacks && all.has("c", "l", "t", "stdout", "to-stdout", "list", "test");
                if (!prints) {
                    operands.forEach(path -> {
                        targets.noted("delete", path, state);
                        String inner = unpacks ? path.replaceFirst("\\.\\w+$", "") : path;
                        if (!inner.equals(path) && targets.content(path, state).isPresent()) {
                            targets.filled(inner, true, state);
                        }
                    });
                }
            }
            case BUT_FIRST -> {
                boolean like = words.stream().anyMatch(word -> word.startsWith("--ref"));
                operands.stream().skip(like ? 0 : 1).forEach(path -> targets.noted("write", path, state));
            }
            case FIRST ->
                operands.stream().limit(1).forEach(path -> {
                    targets.noted("write", path, state);
                    targets.filled(path, program.equals("script"), state);
                });
            case SECOND ->
                operands.stream().skip(1).limit(1).forEach(path -> {
                    targets.noted("write", path.endsWith("/") ? path + "x" : path, state);
                    targets.filled(path, true, state);
                    if (program.equals("split")) {
                        List.of("aa", "ab", "00", "01").forEach(end -> targets.filled(path + end, true, state));
                    }
                });
            case RESULT -> {
                if (operands.size() > 1) {
                    targets.noted("write", operands.getLast(), state);
                }
            }
            case IN_PLACE -> {
                if (all.has("i", "w", "a", "write", "inplace", "in-place")) {
                    operands.forEach(path -> {
                        targets.noted("write", path, state);
                        targets.filled(path, false, state);
                    });
                }
            }
            case LAST, MOVED -> {
                boolean folders = program.equals("install") && all.has("d", "directory");
                if (folders) {
                    operands.forEach(path -> targets.noted("write", path, state));
                } else {
                    copied(program, kind, operands, folder, state, targets);
                }
            }
        }
    }

    private static void copied(
            String program,
            Kind kind,
            List<String> operands,
            Optional<String> folder,
            State state,
            NamedFiles targets) {
        if (operands.isEmpty()) {
            return;
        }
        boolean last = folder.isEmpty() && operands.size() > 1;
        boolean linked = program.equals("ln") && folder.isEmpty() && operands.size() == 1;
        String target = linked ? "./" + operands.getLast().replaceFirst("^.*/", "") : folder.orElse(operands.getLast());
        List<String> sources =
                last ? operands.subList(0, operands.size() - 1) : folder.isPresent() ? operands : List.of();
        targets.noted("write", target, state);
        targets.wild(target);
        for (String source : sources) {
            // If the target is a folder, the program writes this file.
            String name = Paths.last(source);
            if (!UnknownValues.any(target) && !name.isEmpty()) {
                targets.noted("write", target + "/" + name, state);
            }
            boolean all =
                    source.endsWith("/.") || source.equals(".") || (program.equals("rsync") && source.endsWith("/"));
            if (all && !UnknownValues.any(target)) {
                targets.noted("write", target + "/.profile", state); // or any other file in there
            }
            if (kind == Kind.MOVED) {
                targets.noted("delete", source, state);
            }
            state.copies.put(targets.key(target, state), targets.key(source, state));
            state.copies.put(targets.key(target + "/" + name, state), targets.key(source, state));
            String content = targets.content(source, state).orElse("");
            copied(targets.key(target, state), content, state);
            copied(targets.key(target + "/" + name, state), content, state);
        }
    }

    /// Notes a copied file. With `cp -n` it may still have its old content.
    private static void copied(String key, String content, State state) {
        if (state.files.containsKey(key) || !content.isEmpty()) {
            state.files.merge(key, content, (before, after) -> before.equals(after) ? before : UnknownValues.MADE);
        }
    }

    private static void inPlace(List<String> arguments, Consumer<String> write) {
        boolean changes =
                arguments.stream().anyMatch(word -> word.matches("-[acfglnpstTuUwWX\\d]*i.*|--in-place.*|--i\\w*"));
        if (changes) {
            arguments.stream().filter(word -> !word.startsWith("-")).forEach(write);
        }
    }

    private static void copiedByVerb(String program, List<String> arguments, Consumer<String> write) {
        Set<String> verbs = COPYING.getOrDefault(program, Set.of());
        List<String> operands =
                arguments.stream().filter(word -> !word.startsWith("-")).toList();
        for (int i = 0; i + 2 < operands.size(); i++) {
            if (verbs.contains(operands.get(i))) {
                Stream.of(operands.get(i + 2), operands.getLast())
                        .filter(path -> path.indexOf(':') < 0)
                        .forEach(write);
                return;
            }
        }
    }

    /// Notes the links that `ln` and `cp -s` create.
    private static void link(String program, List<String> arguments, State state, Evaluator evaluator) {
        Arguments all = Arguments.of(arguments, VALUES.getOrDefault(program, ""), LONG_VALUES);
        Optional<String> folder = all.value("t", "target-directory");
        List<String> operands = all.operands();
        if (operands.isEmpty()) {
            return;
        }
        boolean here = folder.isEmpty() && operands.size() == 1;
        String name = here ? "." : folder.orElse(operands.getLast());
        int count = operands.size() - (folder.isPresent() || here ? 0 : 1);
        for (String target : operands.subList(0, count)) {
            String last = Paths.last(target);
            boolean inside = here || folder.isPresent() || count > 1 || name.endsWith("/");
            if (!UnknownValues.any(target) && !UnknownValues.any(name)) {
                String into = evaluator.targets.key(name + "/" + last, state);
                if (!inside) {
                    linked(evaluator.targets.key(name, state), target, state);
                }
                linked(into, target, state);
            }
        }
    }

    private static void linked(String from, String target, State state) {
        boolean absolute = target.startsWith("/") || target.startsWith("~") || target.startsWith(ShellContext.START);
        String to = absolute ? target : from.substring(0, Math.max(1, from.lastIndexOf('/'))) + "/" + target;
        if (!Paths.normal(to).equals(from)) {
            state.links.put(from, Paths.normal(to));
        }
    }

    private static void outputs(String program, List<String> arguments, State state, Evaluator evaluator) {
        boolean reads = program.equals("ssh-keygen") && arguments.stream().anyMatch(word -> word.matches("-[lyBFe]"));
        if (!reads) {
            OutputOptions.of(program, arguments).forEach(path -> written(program, path, state, evaluator));
        }
    }

    private static void written(String program, String path, State state, Evaluator evaluator) {
        evaluator.targets.noted("write", path, state);
        evaluator.targets.filled(path, FILLING.contains(program), state);
        if (program.equals("curl") || program.equals("wget")) {
            state.files.put(evaluator.targets.key(path, state), UnknownValues.ORDINARY);
        }
    }
}
