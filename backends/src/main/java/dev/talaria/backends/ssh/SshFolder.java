package dev.talaria.backends.ssh;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folder of this machine with the socket of a shared connection. It belongs to its owner alone:
/// everybody who can open the socket can run commands on the other machine.
///
/// @param path the folder; it is short, since a socket's path has room for 104 bytes, and ssh needs
///     17 of them
record SshFolder(Path path) {
    private static final System.Logger LOG = System.getLogger(SshFolder.class.getName());
    private static final int LONGEST = 60;

    static SshFolder create(SandboxSpec spec) {
        for (Path base : bases().toList()) {
            Path path = base.resolve(spec.outsideName());
            try {
                if (!ours(path)) {
                    Files.createDirectory(path, OwnFolder.MODE);
                }
                return new SshFolder(path);
            } catch (IOException e) {
                // Try the next folder.
            }
        }
        throw Client.unavailable("There is no folder here for the socket of an SSH connection. Make /tmp writable, or"
                + " set XDG_RUNTIME_DIR to a folder of your own with a short path.");
    }

    /// Returns the folder that a sandbox of this name has, or has left behind.
    static Optional<SshFolder> find(SandboxSpec spec) {
        return bases().map(base -> base.resolve(spec.outsideName()))
                .filter(SshFolder::ours)
                .findFirst()
                .map(SshFolder::new);
    }

    private static Stream<Path> bases() {
        return Stream.concat(
                        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")).stream(),
                        Stream.of(System.getProperty("java.io.tmpdir", "/tmp"), "/tmp"))
                .filter(base -> base.startsWith("/") && base.length() <= LONGEST)
                .map(Path::of)
                .distinct();
    }

    private static boolean ours(Path path) {
        try (OwnFolder _ = OwnFolder.open(path)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the path of the socket for the sandbox's n-th connection: an earlier one may still be
    /// in use.
    Path socket(int n) {
        return path.resolve("s" + n);
    }

    /// Returns the existing sockets.
    List<Path> sockets() {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        } catch (IOException e) {
            return List.of(); // another process cleans up at the same time
        }
    }

    void remove() {
        OwnFolder.remove(path).ifPresent(left -> LOG.log(System.Logger.Level.WARNING, left));
    }
}
