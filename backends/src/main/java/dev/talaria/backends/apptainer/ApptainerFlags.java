package dev.talaria.backends.apptainer;

import dev.talaria.backends.options.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a sandbox of Apptainer is made with.
///
/// @param binds folders of this machine that it sees, as `FROM:TO` or `FROM:TO:ro`
/// @param shared whether it has the network of this machine
/// @param fakeroot whether it is root there, without rights outside
/// @param persistent whether its files outlive it
record ApptainerFlags(
        List<String> binds,
        boolean shared,
        boolean fakeroot,
        boolean persistent,
        Optional<String> memory,
        Optional<String> cpus) {

    static ApptainerFlags of(Options options) {
        String network = options.find("network").orElse("none").strip().toLowerCase(Locale.ROOT);
        if (!network.equals("none") && !network.equals("host")) {
            throw Options.refuse("Option network of the backend apptainer is '" + network
                    + "': it can be none, or host, which is this machine's.");
        }
        List<String> binds = items(options, "binds");
        binds.forEach(ApptainerFlags::check);
        return new ApptainerFlags(
                binds,
                network.equals("host"),
                options.isTrue("fakeroot", false),
                options.isTrue("persistent", false),
                matching(options, "memory", "\\d+[bkmgBKMG]?", "a number of bytes, such as 512m or 4g"),
                matching(options, "cpus", "\\d+(\\.\\d+)?", "a number, such as 2 or 0.5"));
    }

    private static void check(String bind) {
        String[] parts = bind.split(":", -1);
        boolean whole = parts.length >= 2
                && parts.length <= 3
                && Stream.of(parts[0], parts[1]).allMatch(path -> path.startsWith("/"));
        if (!whole || (parts.length == 3 && !parts[2].matches("r[ow]"))) {
            throw Options.refuse("Option binds of the backend apptainer holds '" + bind
                    + "'. Write FROM:TO or FROM:TO:ro, both absolute paths, with commas between.");
        }
        if (!Files.exists(Path.of(parts[0]))) {
            throw Options.refuse("Option binds of the backend apptainer names " + parts[0] + ", which is not there.");
        }
    }

    /// Returns the items of a list with commas.
    static List<String> items(Options options, String name) {
        return options.find(name).stream()
                .flatMap(text -> Stream.of(text.split(",")))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static Optional<String> matching(Options options, String name, String pattern, String what) {
        Optional<String> value = options.find(name).map(String::strip);
        value.filter(text -> !text.matches(pattern)).ifPresent(text -> {
            throw Options.refuse("Option " + name + " of the backend apptainer is '" + text + "', not " + what + ".");
        });
        return value;
    }

    boolean limited() {
        return memory.isPresent() || cpus.isPresent();
    }

    ApptainerFlags unlimited() {
        return new ApptainerFlags(binds, shared, fakeroot, persistent, Optional.empty(), Optional.empty());
    }

    List<String> list(ApptainerFolders.Own own) {
        List<String> flags =
                new ArrayList<>(List.of("--containall", "--workdir", own.work().toString()));
        own.overlay()
                .ifPresentOrElse(
                        overlay -> flags.addAll(List.of("--overlay", overlay.toString())),
                        () -> flags.add("--writable-tmpfs"));
        if (!shared) {
            flags.addAll(List.of("--net", "--network", "none"));
        }
        if (fakeroot) {
            flags.add("--fakeroot");
        }
        binds.forEach(bind -> flags.addAll(List.of("--bind", bind)));
        memory.ifPresent(bytes -> flags.addAll(List.of("--memory", bytes)));
        cpus.ifPresent(count -> flags.addAll(List.of("--cpus", count)));
        return List.copyOf(flags);
    }
}
