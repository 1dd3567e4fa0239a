package dev.talaria.backends.apptainer;

import dev.talaria.backends.options.FolderMap;
import dev.talaria.backends.options.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// The options that an Apptainer sandbox is made with.
///
/// @param volumes folders of this machine that it sees, as `SOURCE:TARGET` or `SOURCE:TARGET:ro`
/// @param shared whether it has the network of this machine
/// @param fakeroot whether commands are root inside, without rights outside
/// @param persistent whether its files outlive it
record ApptainerFlags(
        List<String> volumes,
        boolean shared,
        boolean fakeroot,
        boolean persistent,
        OptionalLong memory,
        Optional<String> cpus) {

    static ApptainerFlags of(Options options) {
        String network = options.find("network").orElse("none").strip().toLowerCase(Locale.ROOT);
        if (!network.equals("none") && !network.equals("host")) {
            throw Options.refuse("Option network of the backend apptainer is '" + network
                    + "': it can be none, or host, which is this machine's.");
        }
        List<String> volumes = options.list("volumes");
        volumes.forEach(volume -> check(volume, options));
        return new ApptainerFlags(
                volumes,
                network.equals("host"),
                options.isTrue("fakeroot", false),
                options.isTrue("persistent", false),
                options.bytes("memory"),
                options.decimal("cpus"));
    }

    private static void check(String volume, Options options) {
        String[] parts = volume.split(":", -1);
        boolean whole = parts.length >= 2
                && parts.length <= 3
                && Stream.of(parts[0], parts[1]).allMatch(path -> path.startsWith("/"));
        if (!whole || (parts.length == 3 && !parts[2].matches("r[ow]"))) {
            throw options.wrong(
                    "volumes",
                    "'" + volume + "' is not of the form SOURCE:TARGET or SOURCE:TARGET:ro, both absolute paths");
        }
        if (!Files.exists(Path.of(parts[0]))) {
            throw options.wrong("volumes", "there is no " + parts[0] + " on this machine. Create it first");
        }
    }

    /// Returns the path of a folder inside, with `~` for the home there; nothing if it is a folder of
    /// this machine that is not visible inside.
    Optional<String> inside(String wanted) {
        List<FolderMap.Shared> shared = volumes.stream()
                .map(volume -> volume.split(":", -1))
                .map(parts -> new FolderMap.Shared(Path.of(parts[0]).normalize().toString(), parts[1]))
                .toList();
        return new FolderMap(shared, "~").inside(wanted);
    }

    boolean limited() {
        return memory.isPresent() || cpus.isPresent();
    }

    ApptainerFlags unlimited() {
        return new ApptainerFlags(volumes, shared, fakeroot, persistent, OptionalLong.empty(), Optional.empty());
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
        volumes.forEach(volume -> flags.addAll(List.of("--bind", volume)));
        memory.ifPresent(bytes -> flags.addAll(List.of("--memory", String.valueOf(bytes))));
        cpus.ifPresent(count -> flags.addAll(List.of("--cpus", count)));
        return List.copyOf(flags);
    }
}
