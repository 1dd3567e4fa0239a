package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the files that archives, patches and downloads put into a folder: a named one, or the one
/// that the program runs in.
final class UnpackedFiles {
    private static final String HERE = "./unpacked"; // some file in the folder
    private static final String TAR_VALUES = "fCbgHIKLNTVX";
    private static final List<String> TAR_NAMES = Words.list("""
            file directory exclude exclude-from files-from listed-incremental to-command use-compress-program transform
            xform strip-components owner group mode mtime index-file format newer checkpoint-action blocking-factor
            label warning
            """);
    private static final Pattern CHANGED =
            Pattern.compile("(?m)^(?:\\+\\+\\+|---|\\*\\*\\*|rename to|copy to) (?:\"?)([^\\t\\n\"]+)");

    private UnpackedFiles() {}

    static void of(String program, List<String> words, String input, Consumer<String> write) {
        switch (program) {
            case "tar", "bsdtar", "gtar", "star" -> tar(words, write);
            case "unzip" -> {
                Arguments all = Arguments.of(words, "dPx", List.of());
                if (!all.has("l", "t", "p", "v", "Z", "z", "c")) {
                    into(all.values("d"), write);
                }
            }
            case "7z", "7za", "7zr", "7zz", "rar", "unrar", "p7zip" -> sevenZip(program, words, write);
            case "cpio", "pax" -> cpio(program, words, write);
            case "patch" -> patch(words, input, write);
            case "wget", "wget2", "aria2c", "axel" -> wget(program, words, write);
            case "curl" -> curl(words, write);
            case "jar" -> {
                if (!words.isEmpty() && words.getFirst().matches("-?[a-z]*x.*|--extract")) {
                    write.accept(HERE);
                }
            }
            case "ar" -> {
                if (!words.isEmpty() && words.getFirst().matches("-?[a-zA-Z]*x.*")) {
                    into(OutputOptions.of("ar", words), write);
                }
            }
            default -> {}
        }
    }

    private static void into(List<String> folders, Consumer<String> write) {
        if (folders.isEmpty()) {
            write.accept(HERE);
        }
        folders.forEach(write);
    }

    /// Returns the beginning of a path in the last of some folders; nothing if there are none.
    private static String inFolder(List<String> folders) {
        return folders.isEmpty() ? "" : folders.getLast() + "/";
    }

    private static void tar(List<String> words, Consumer<String> write) {
        Arguments all = Arguments.of(modern(words), TAR_VALUES, TAR_NAMES);
        boolean extracts = all.has("x") || named(all, "extract", 2) || named(all, "get", 1);
        boolean prints = all.has("O") || named(all, "to-stdout", 4) || named(all, "to-command", 4);
        boolean makes = all.has("c", "r", "u", "A")
                || named(all, "create", 2)
                || named(all, "append", 2)
                || named(all, "update", 1)
                || named(all, "delete", 3)
                || named(all, "concatenate", 3);
        List<String> folders = all.values("C", "directory");
        if (extracts && !prints) {
            List<String> tops = all.values("one-top-level");
            into(folders.isEmpty() ? tops : folders, write);
            all.operands().stream()
                    .filter(member -> !member.startsWith("/"))
                    .forEach(member -> write.accept(inFolder(folders) + member));
        }
        if (makes) {
            all.values("f", "file").stream()
                    .filter(file -> !file.equals("-") && file.indexOf(':') < 0)
                    .forEach(write);
        }
        all.values("g", "listed-incremental", "index-file").forEach(write);
    }

    /// Returns the programs that the options of tar name.
    static List<String> run(List<String> words) {
        return Arguments.of(modern(words), TAR_VALUES + "F", TAR_NAMES).values("I", "F");
    }

    private static boolean named(Arguments all, String name, int shortest) {
        return all.options().stream()
                .anyMatch(option -> option.name().length() > 1
                        && option.name().length() >= shortest
                        && name.startsWith(option.name()));
    }

    /// Rewrites `tar xfC archive folder` as `tar -x -f archive -C folder`.
    private static List<String> modern(List<String> words) {
        if (words.isEmpty() || words.getFirst().startsWith("-")) {
            return words;
        }
        List<String> all = new ArrayList<>();
        int next = 1;
        for (char letter : words.getFirst().toCharArray()) {
            all.add("-" + letter);
            if (TAR_VALUES.indexOf(letter) >= 0 && next < words.size()) {
                all.add(words.get(next++));
            }
        }
        all.addAll(words.subList(Math.min(next, words.size()), words.size()));
        return all;
    }

    private static void sevenZip(String program, List<String> words, Consumer<String> write) {
        List<String> operands =
                words.stream().filter(word -> !word.startsWith("-")).toList();
        if (operands.isEmpty()) {
            return;
        }
        List<String> folders = words.stream()
                .filter(word -> word.matches("-(?:o|op).+"))
                .map(word -> word.replaceFirst("^-o", ""))
                .toList();
        boolean rar = program.endsWith("rar")
                && operands.size() > 2
                && operands.getLast().endsWith("/");
        switch (operands.getFirst()) {
            case "x", "e" -> into(rar ? List.of(operands.getLast()) : folders, write);
            case "a", "u", "d" -> operands.stream().skip(1).limit(1).forEach(write);
            default -> {}
        }
    }

    private static void cpio(String program, List<String> words, Consumer<String> write) {
        Arguments all = Arguments.of(words, "DEFHIMORC", List.of("directory", "file", "format"));
        boolean reads = program.equals("pax")
                ? all.has("r") && !all.has("w")
                : (all.has("i") || named(all, "extract", 2)) && !all.has("t");
        if (reads) {
            into(all.values("D", "directory"), write);
        }
        if (all.has("p") || (program.equals("pax") && all.has("r") && all.has("w"))) {
            all.last().ifPresent(write);
        }
        if (all.has("o") && !program.equals("pax")) {
            all.values("O", "F", "file").forEach(write);
        }
    }

    private static void patch(List<String> words, String input, Consumer<String> write) {
        Arguments all = Arguments.of(
                words,
                "odrBDFgipVYzZ",
                List.of("output", "directory", "reject-file", "input", "strip", "fuzz", "prefix"));
        if (all.has("dry-run") && words.contains("--dry-run")) {
            return;
        }
        List<String> folders = all.values("d", "directory");
        List<String> others = new ArrayList<>(all.values("o", "output", "r", "reject-file"));
        others.addAll(all.operands().stream().limit(1).toList());
        String folder = inFolder(folders);
        others.forEach(path -> write.accept(folder + path));
        if (others.isEmpty()) {
            into(folders, write);
            changed(input, folder, write);
        }
    }

    /// Notes the files that a patch changes, with and without their first folder.
    static void changed(String patch, String folder, Consumer<String> write) {
        Matcher file = CHANGED.matcher(patch);
        while (file.find()) {
            String path = file.group(1).strip();
            if (!path.equals("/dev/null") && !UnknownValues.any(path)) {
                write.accept(path.startsWith("/") ? path : folder + path);
                write.accept(folder + path.replaceFirst("^/?[^/]*/", ""));
            }
        }
    }

    private static void wget(String program, List<String> words, Consumer<String> write) {
        Arguments all = OutputOptions.arguments(program, words);
        boolean elsewhere = !all.values(program.startsWith("wget") ? "O" : "o", "output-document", "out", "output")
                .isEmpty();
        boolean none = all.has("spider") && words.contains("--spider");
        if (elsewhere || none) {
            return;
        }
        List<String> folders = all.values(program.startsWith("wget") ? "P" : "d", "directory-prefix", "dir");
        String folder = inFolder(folders);
        if (all.operands().isEmpty() || all.has("r", "m", "recursive", "mirror")) {
            write.accept(folder.isEmpty() ? HERE : folder);
        }
        all.operands().forEach(address -> write.accept(folder + name(address)));
    }

    private static void curl(List<String> words, Consumer<String> write) {
        Arguments all = OutputOptions.arguments("curl", words);
        boolean named = all.options().stream()
                .anyMatch(option -> option.name().equals("O")
                        || Set.of("remote-name", "remote-name-all", "remote-nam", "remote-na", "remote-n")
                                .contains(option.name()));
        if (named) {
            String folder = inFolder(all.values("output-dir"));
            List<String> addresses = new ArrayList<>(all.operands());
            addresses.addAll(all.values("url"));
            addresses.forEach(address -> write.accept(folder + name(address)));
        }
    }

    /// Returns the name of the file that an address ends with.
    private static String name(String address) {
        String path = address.replaceFirst("^[a-z]+://", "").replaceFirst("[?#].*$", "");
        int slash = path.lastIndexOf('/');
        String name = slash < 0 ? "" : path.substring(slash + 1);
        return name.isEmpty() || name.equals("..") ? "index.html" : name;
    }
}
