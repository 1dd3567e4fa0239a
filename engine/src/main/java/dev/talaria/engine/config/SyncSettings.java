package dev.talaria.engine.config;

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
    public SyncSettings {
        exclude = List.copyOf(exclude);
    }

    public static SyncSettings defaults() {
        return new SyncSettings(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(".git", "node_modules", "__pycache__", ".venv"),
                2L << 30);
    }

    /// Returns settings that sync nothing.
    public SyncSettings off() {
        return new SyncSettings(Optional.empty(), to, Optional.empty(), exclude, backBytes);
    }

    /// Returns the same with these folders.
    public SyncSettings with(String newFolder, String newTo, Optional<String> newBack) {
        return new SyncSettings(Optional.of(newFolder), Optional.of(newTo), newBack, exclude, backBytes);
    }
}
