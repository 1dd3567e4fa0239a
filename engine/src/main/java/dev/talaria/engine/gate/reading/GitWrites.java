package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Finds the files that `git` writes outside of its repository: clones, archives, settings.
final class GitWrites {
    private static final String GLOBAL_VALUES = "Cc";
    private static final List<String> GLOBAL_NAMES =
            List.of("git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env");
    private static final List<String> NAMES = Words.list("""
            branch depth origin config reference template jobs filter upload-pack separate-git-dir output
            output-directory file directory prefix remote name initial-branch shallow-since server-option object-format
            """);
    private static final Set<String> READS =
            Set.of("get", "get-all", "get-regexp", "get-urlmatch", "list", "show-origin", "show-scope", "name-only");

    private GitWrites() {}

    static void of(List<String> words, String input, Consumer<String> write) {
        Arguments global = Arguments.of(words, GLOBAL_VALUES, GLOBAL_NAMES, true);
        if (global.operands().isEmpty()) {
            return;
        }
        StringBuilder folder = new StringBuilder();
        global.values("C").forEach(path -> {
            boolean absolute = path.startsWith("/") || path.startsWith("~");
            folder.replace(0, absolute ? folder.length() : 0, "").append(path).append('/');
        });
        String tree = global.value("work-tree").orElse("");
        Consumer<String> below =
                path -> write.accept(path.startsWith("/") || path.startsWith("~") ? path : folder + path);
        String verb = global.operands().getFirst();
        Arguments all =
                Arguments.of(global.operands().subList(1, global.operands().size()), values(verb), NAMES);
        switch (verb) {
            case "clone" -> {
                all.operands().stream().skip(1).limit(1).forEach(below);
                if (all.operands().size() == 1) {
                    below.accept(all.operands()
                            .getFirst()
                            .replaceFirst("/*(?:\\.git)?/*$", "")
                            .replaceFirst("^.*[/:]", ""));
                }
                all.values("separate-git-dir").forEach(below);
            }
            case "init" -> {
                all.operands().forEach(below);
                if (!folder.isEmpty()) {
                    below.accept("unpacked");
                }
                all.values("separate-git-dir").forEach(below);
            }
            case "worktree", "bundle" ->
                all.operands().stream().skip(1).limit(1).forEach(below);
            case "submodule" -> all.operands().stream().skip(2).limit(1).forEach(below);
            case "config" -> config(all, below);
            case "apply", "am" -> {
                String place = tree.isEmpty() ? "" : tree + "/";
                all.values("directory").forEach(below);
                below.accept(place + "unpacked");
                UnpackedFiles.changed(input, place, below);
            }
            case "checkout-index" -> all.values("prefix").forEach(below);
            default -> {}
        }
        boolean outputs = !verb.equals("clone") && !verb.equals("config");
        if (outputs) {
            all.options().stream()
                    .filter(option -> option.name().equals("o")
                            || (option.is("output") && option.name().length() > 2)
                            || (option.is("output-directory") && option.name().length() > 2))
                    .map(Arguments.Option::value)
                    .filter(value -> !value.isEmpty())
                    .forEach(below);
        }
    }

    private static String values(String verb) {
        return switch (verb) {
            case "clone" -> "bocuj";
            case "config" -> "f";
            case "archive", "format-patch" -> "o";
            case "worktree" -> "bB";
            case "init" -> "b";
            default -> "";
        };
    }

    private static void config(Arguments all, Consumer<String> write) {
        boolean reads = all.has("l")
                || all.options().stream().anyMatch(option -> READS.contains(option.name()))
                || (all.operands().size() == 1 && all.options().size() < 2)
                || (!all.operands().isEmpty()
                        && Set.of("get", "list").contains(all.operands().getFirst()));
        boolean edits = all.options().stream()
                .anyMatch(option -> option.name().equals("e") || "edit".startsWith(option.name()));
        if (edits) {
            write.accept("~/.gitconfig");
        }
        if (!reads) {
            all.values("f", "file").forEach(write);
        }
    }
}
