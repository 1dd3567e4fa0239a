package dev.talaria.engine.util;

import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/// A small file that only its owner reads, JSON as a rule. Others see the old content or the new.
public final class StateFile {
    private StateFile() {}

    public static Map<String, Object> read(Path file) throws IOException {
        return Json.object(Files.readAllBytes(file));
    }

    public static void write(Path file, Map<String, Object> fields) throws IOException {
        write(file, Json.bytes(fields));
    }

    public static void write(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + "." + RandomBytes.hex(4));
        try {
            writeWhole(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh); // half of it, on a full disk
            throw e;
        }
    }

    private static void writeWhole(Path fresh, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                var _ = channel.write(bytes);
            }
        }
    }
}
