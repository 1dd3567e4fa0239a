package dev.talaria.engine.job.relay;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the relay's program in the form that this machine's interpreter compiled: compiling takes
/// longer than the rest of a relay's start. This is only for sandboxes on this machine, where only
/// the user could change the file.
final class CompiledRelay {
    private static final Logger LOG = LoggerFactory.getLogger(CompiledRelay.class);

    private final Optional<Path> file;
    private boolean used;

    CompiledRelay(RelayOptions options) {
        this.file = options.compiled()
                .flatMap(folder -> name(options.python().getLast()).map(folder::resolve));
    }

    /// Returns the file's name, which differs for another program or another interpreter at the same
    /// path.
    private static Optional<String> name(String python) {
        try {
            BasicFileAttributes state = Files.readAttributes(Path.of(python), BasicFileAttributes.class);
            CRC32C sum = new CRC32C();
            sum.update(RelayStart.program());
            sum.update((python + "|" + state.lastModifiedTime() + "|" + state.size() + "|" + state.fileKey())
                    .getBytes(StandardCharsets.UTF_8));
            return Optional.of("relay-" + Long.toHexString(sum.getValue()) + ".bin");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Returns the compiled program to send instead of the source, if there is one.
    Optional<byte[]> load() {
        try {
            if (file.isPresent() && isOurs(file.get())) {
                byte[] code = Files.readAllBytes(file.get());
                used = true;
                // A leading zero byte distinguishes it from source.
                return Optional.of(
                        ByteBuffer.allocate(code.length + 1).put(1, code).array());
            }
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
        }
        return Optional.empty();
    }

    /// Returns whether the file belongs to us, in a folder that nobody else can enter: its content
    /// will be run.
    private static boolean isOurs(Path file) throws IOException {
        try (OwnFolder folder = OwnFolder.open(file.resolve("..").normalize())) {
            return folder.look(file.getFileName())
                    .filter(BasicFileAttributes::isRegularFile)
                    .isPresent();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Asks a relay that was started from source for its compiled form, for the next start.
    void keep(Relay relay) {
        if (file.isEmpty() || used) {
            return;
        }
        Thread.ofVirtual().name("relay-compiled").start(() -> {
            try {
                store(file.get(), relay.compiled(Patience.endless()));
            } catch (IOException | SandboxException e) {
                LOG.debug("The relay's compiled form is not kept", e);
            }
        });
    }

    private static void store(Path file, byte[] code) throws IOException {
        var _ = Folders.create(file.toAbsolutePath().resolve("..").normalize());
        StateFile.write(file, code);
    }

    /// Removes the stored program if this start used it. Returns whether it did.
    boolean forget() {
        boolean was = used;
        used = false;
        if (was) {
            try (OwnFolder folder =
                    OwnFolder.open(file.orElseThrow().resolve("..").normalize())) {
                folder.delete(file.orElseThrow().getFileName());
            } catch (IOException e) {
                LOG.debug("Cannot remove {}", file, e);
            }
        }
        return was;
    }
}
