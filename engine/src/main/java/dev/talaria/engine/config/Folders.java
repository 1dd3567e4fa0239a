package dev.talaria.engine.config;

import dev.talaria.api.HomeFolder;
import dev.talaria.api.OwnFolder;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The folders of Talaria's own files, by the XDG base directory rules. A folder is created when it is needed.
///
/// @param config holds `talaria.yaml`
/// @param state holds the audit log, approvals and spill files
/// @param cache holds files that can be deleted at any time
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

    /// Returns the folders that `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME` and `HOME` name.
    /// Relative ones do not count, as the XDG rules demand.
    public static Folders of(Map<String, String> environment) {
        return new Folders(
                xdg(environment, "XDG_CONFIG_HOME", ".config"),
                xdg(environment, "XDG_STATE_HOME", ".local/state"),
                xdg(environment, "XDG_CACHE_HOME", ".cache"));
    }

    private static Path xdg(Map<String, String> environment, String variable, String otherwise) {
        return HomeFolder.of(environment, variable, otherwise).resolve("talaria");
    }

    /// Returns three folders below one folder, for tests and for programs with their own folders.
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

    /// Returns the folder with the records of open sandboxes. Talaria finds the sandboxes of a killed Talaria
    /// there.
    public Path sandboxes() {
        return state.resolve("sandboxes");
    }

    /// Returns the folders that no tool may change, since their files decide what is allowed.
    public List<Path> control() {
        return List.of(config, audit(), approvals(), processes(), sandboxes());
    }

    /// Returns the folders that file tools neither read nor change. A session can only read its own spill files
    /// there.
    public List<Path> ours() {
        return List.of(config, state, cache);
    }

    /// Returns a path of this machine with a leading `~` replaced by the home folder.
    public static String expandHome(String path) {
        return HomeFolder.expand(path);
    }

    /// Returns the chosen working folder on this machine, or that of this process if `chosen` is empty.
    public static Path workingFolder(String chosen) {
        return Path.of(expandHome(chosen)).toAbsolutePath();
    }

    /// Returns the user's home folder: the value of `HOME`, as in a shell, or the account's home.
    public static Path home() {
        return HomeFolder.here();
    }

    /// Creates `folder` and the missing folders above it, for the owner only, and returns it. If `folder`
    /// exists and others can enter it, their permissions are removed.
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
