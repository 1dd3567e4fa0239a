package dev.talaria.engine.util;

import dev.talaria.api.Reason;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads and writes small files that only their owner can read, usually JSON. A reader sees the old content or the
/// new, never a mix.
public final class StateFile {
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private StateFile() {}

    /// Returns the files in a folder; none if the folder does not exist or cannot be read.
    public static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.toList();
        } catch (NoSuchFileException e) {
            return List.of(); // the folder was just removed
        } catch (IOException e) {
            LOG.warn("Cannot list {}: {}", folder, Reason.of(e));
            return List.of();
        }
    }

    public static Map<String, Object> read(Path file) throws IOException {
        return Json.object(Files.readAllBytes(file));
    }

    public static void write(Path file, Map<String, Object> fields) throws IOException {
        write(file, Json.bytes(fields));
    }

    public static void write(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + "." + RandomBytes.hex(4));
        try {
            try (OutputStream out = Channels.newOutputStream(
                    OwnerOnly.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                out.write(content);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh); // incomplete, if the disk is full
            throw e;
        }
    }
}
