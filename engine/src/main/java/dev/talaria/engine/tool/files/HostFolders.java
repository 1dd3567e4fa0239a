package dev.talaria.engine.tool.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.sandbox.SandboxLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Finds files on this machine for the file tools, and refuses Talaria's own folders: settings, state (audit log,
/// approvals, output of other sessions) and cache (the interpreters that run scripts).
public final class HostFolders {
    private record ResolvedFolder(Path real, long at) {}

    private record TalariaFolders(List<Path> folders, long at) {}

    private static final long MOMENT = Duration.ofMillis(50).toNanos();
    private static final int MOST_FOLDERS = 1000;

    private final Map<Path, ResolvedFolder> recent = new ConcurrentHashMap<>();
    private final Folders folders;
    private volatile TalariaFolders ours; // written by the thread that finds it out of date
    private final Optional<String> cwd;
    private final Path base;

    public HostFolders(Settings settings) {
        this.folders = settings.folders();
        this.ours = found(folders);
        this.cwd = settings.cwd();
        this.base = Path.of(cwd.orElse("")).toAbsolutePath();
    }

    /// Returns the absolute path: `~` is the home folder, and a relative path starts at the working folder.
    ///
    /// @param lease knows the working folder
    /// @throws SandboxException if the text is not a path
    Path absolute(SandboxLease lease, String path) {
        try {
            Path start = lease.cwd().equals(cwd)
                    ? base
                    : Path.of(lease.cwd().orElse("")).toAbsolutePath();
            return start.resolve(Folders.expandHome(path));
        } catch (InvalidPathException e) {
            throw new SandboxException(ErrorCode.INVALID_ARGUMENT, "Not a path: " + e.getReason() + ".", e);
        }
    }

    /// Returns the real path of a file to read.
    ///
    /// @param lease knows the working folder
    /// @param readable accepts the files of Talaria that the session may read: its own output
    /// @throws SandboxException if the text is not a path, or the file belongs to Talaria
    Path toRead(SandboxLease lease, String path, Predicate<Path> readable) {
        Path real = realQuickly(absolute(lease, path));
        if (!readable.test(real)) {
            refuseOurs(real);
        }
        return real;
    }

    /// Returns the real paths of the user's home folder: that of `HOME` and that of the account.
    List<String> homes() {
        return Stream.of(Folders.home(), Path.of(System.getProperty("user.home", "/")))
                .map(HostFolders::real)
                .map(Path::toString)
                .distinct()
                .toList();
    }

    /// Returns the real path, and follows the folder's links only once in a while: a script may read a thousand
    /// files of it. Whoever could swap a link in between could also do it after the check.
    private Path realQuickly(Path path) {
        Path folder = path.getParent();
        if (folder == null || path.endsWith("..") || Files.isSymbolicLink(path)) {
            return real(path);
        }
        long now = System.nanoTime();
        ResolvedFolder resolved = recent.get(folder);
        if (resolved == null || now - resolved.at > MOMENT) {
            if (recent.size() > MOST_FOLDERS) {
                recent.clear();
            }
            resolved = new ResolvedFolder(real(folder), now);
            recent.put(folder, resolved);
        }
        return resolved.real.resolve(path.getFileName()).normalize();
    }

    /// Follows links as far as the path exists, so that no link avoids the check.
    private static Path real(Path path) {
        Path parent = path;
        while (parent != null) {
            try {
                return parent.toRealPath().resolve(parent.relativize(path)).normalize();
            } catch (IOException e) {
                parent = parent.getParent();
            }
        }
        return path.normalize();
    }

    /// @param path a path without links
    /// @throws SandboxException if the path belongs to Talaria
    void refuseOurs(Path path) {
        TalariaFolders now = ours;
        if (System.nanoTime() - now.at > MOMENT) {
            now = found(folders);
            ours = now;
        }
        if (now.folders.stream().anyMatch(path::startsWith)) {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED,
                    path + " is Talaria's own: its settings, its state and what other sessions printed, and its"
                            + " cache are out of reach of tools.");
        }
    }

    private static TalariaFolders found(Folders folders) {
        List<Path> all = folders.ours().stream()
                .flatMap(folder -> Stream.of(folder, real(folder)))
                .distinct()
                .toList();
        return new TalariaFolders(all, System.nanoTime());
    }
}
