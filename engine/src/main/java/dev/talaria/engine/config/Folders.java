package dev.talaria.engine.config;

import dev.talaria.api.HomeFolder;
import dev.talaria.api.OwnFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Where Talaria keeps its own files, per the XDG base directory rules. Nothing is created before it is needed.
///
/// @param config holds `talaria.yaml`
/// @param state holds the audit log, approvals and spill files
/// @param cache holds what can be thrown away
public record Folders(Path config, Path state, Path cache) {

    public Folders {
        config = config.toAbsolutePath().normalize();
        state = state.toAbsolutePath().normalize();
        cache = cache.toAbsolutePath().normalize();
    }

    /// Returns this process's folders.
    public static Folders standard() {
        return of(System.getenv());
    }

    /// Returns the folders that `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME` name. Relative ones
    /// do not count, as the XDG rules demand.
    public static Folders of(Map<String, String> environment) {
        return new Folders(
                xdg(environment, "XDG_CONFIG_HOME", ".config"),
                xdg(environment, "XDG_STATE_HOME", ".local/state"),
                xdg(environment, "XDG_CACHE_HOME", ".cache"));
    }

    private static Path xdg(Map<String, String> environment, String variable, String otherwise) {
        return HomeFolder.of(environment, variable, otherwise).resolve("talaria");
    }

    /// Returns the three folders below one, for tests and for programs that keep their own.
    public static Folders below(Path folder) {
        return new Folders(folder.resolve("config"), folder.resolve("state"), folder.resolve("cache"));
    }

    /// Returns the user's configuration file, which need not exist.
    public Path configFile() {
        return config.resolve("talaria.yaml");
    }

    public Path audit() {
        return state.resolve("audit");
    }

    public Path approvals() {
        return state.resolve("approvals");
    }

    public Path spills() {
        return state.resolve("spills");
    }

    public Path processes() {
        return state.resolve("processes");
    }

    /// Returns where each open sandbox is on record, so that nothing is left of one whose Talaria was killed.
    public Path sandboxes() {
        return state.resolve("sandboxes");
    }

    /// Returns the folders that no tool may touch: whoever writes there decides what is allowed.
    public List<Path> control() {
        return List.of(config, audit(), approvals(), processes(), sandboxes());
    }

    /// Returns the folders that file tools neither read nor change. A session reads what it printed itself, no more.
    public List<Path> ours() {
        return List.of(config, state, cache);
    }

    /// Returns a path of this machine as it is meant: `~` at its start is the home folder.
    public static String expandHome(String path) {
        return HomeFolder.expand(path);
    }

    /// Returns the working folder that somebody chose on this machine, this process's own if that is empty.
    public static Path workingFolder(String chosen) {
        return Path.of(expandHome(chosen)).toAbsolutePath();
    }

    /// Returns the user's home folder: what `HOME` says, as a shell takes it, or else the account's.
    public static Path home() {
        return HomeFolder.here();
    }

    /// Creates `folder` and what is missing above it, for the owner only, and returns it. One that exists already and
    /// is open to others is closed to them.
    public static Path create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            try {
                Files.createDirectories(folder, OwnFolder.MODE);
            } catch (FileAlreadyExistsException e) {
                throw new IOException("'" + folder + "' is in the way: a folder is needed there. Move it away.", e);
            }
        }
        if (!Files.getPosixFilePermissions(folder).equals(OwnFolder.MODE.value())) {
            Files.setPosixFilePermissions(folder, OwnFolder.MODE.value());
        }
        return folder;
    }
}
