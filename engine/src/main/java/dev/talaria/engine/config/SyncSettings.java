package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.util.List;
import java.util.Optional;

/// Which folder of this machine goes into a sandbox before its first command, and what comes back.
///
/// @param folder the folder here; absent means that nothing is synced
/// @param to where it goes; the sandbox's working folder if absent
/// @param back the folder here that what was changed or made there comes into; absent means that nothing comes back
/// @param exclude names that are left out wherever they stand, or paths below the folder
/// @param backBytes the most that comes back
public record SyncSettings(
        Optional<String> folder, Optional<String> to, Optional<String> back, List<String> exclude, long backBytes) {
    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<Optional<String>> FOLDER = KEYS.add(
            "sync.folder",
            ValueKind.text("a folder of this machine"),
            Optional.empty(),
            REFUSED,
            "The folder that is brought into a sandbox before its first command: what is missing there, or differs.");
    static final ConfigKey<Optional<String>> TO = KEYS.add(
            "sync.remote",
            ValueKind.text("a folder inside the sandbox"),
            Optional.empty(),
            REFUSED,
            "Where that folder goes, instead of the sandbox's cwd.");
    static final ConfigKey<Optional<String>> BACK = KEYS.add(
            "sync.back",
            ValueKind.text("a folder of this machine"),
            Optional.empty(),
            REFUSED,
            "The folder that what was changed or made there comes into when the sandbox is closed; never the folder it"
                    + " came from.");
    static final ConfigKey<List<String>> EXCLUDE = KEYS.add(
            "sync.exclude",
            ValueKind.fileNames(),
            List.of(".git", "node_modules", "__pycache__", ".venv"),
            REFUSED,
            "Names that are left out in both directions; files that hold secrets, such as .env, always are.");
    static final ConfigKey<Long> BACK_BYTES =
            KEYS.add("sync.back-bytes", ValueKind.size(), 2L << 30, NARROW, "The most that comes back.");

    public SyncSettings {
        exclude = List.copyOf(exclude);
    }

    public static SyncSettings defaults() {
        return from(new Choices());
    }

    static SyncSettings from(Choices choices) {
        return new SyncSettings(
                choices.value(FOLDER),
                choices.value(TO),
                choices.value(BACK),
                choices.value(EXCLUDE),
                choices.value(BACK_BYTES));
    }

    /// Returns settings that sync nothing.
    public SyncSettings off() {
        return new SyncSettings(Optional.empty(), to, Optional.empty(), exclude, backBytes);
    }

    /// Returns the same with these folders.
    public SyncSettings with(String newFolder, String newTo, String newBack) {
        return new SyncSettings(Optional.of(newFolder), Optional.of(newTo), Optional.of(newBack), exclude, backBytes);
    }
}
