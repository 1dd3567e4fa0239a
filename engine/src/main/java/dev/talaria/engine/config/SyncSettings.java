package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.util.List;
import java.util.Optional;

/// Which folder of this machine is uploaded into a sandbox before its first command, and what is downloaded later.
///
/// @param folder the folder on this machine; absent means that nothing is uploaded
/// @param to the folder in the sandbox; absent means its working folder
/// @param back the folder on this machine for files that commands have changed or made; absent means that nothing is
///     downloaded
/// @param exclude names that are left out wherever they occur, or paths below the folder
/// @param backBytes the largest size of the download in bytes
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

    /// Returns the same settings with these folders.
    public SyncSettings with(String newFolder, String newTo, String newBack) {
        return new SyncSettings(Optional.of(newFolder), Optional.of(newTo), Optional.of(newBack), exclude, backBytes);
    }
}
