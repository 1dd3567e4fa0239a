package dev.talaria.engine.audit;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.util.OwnerOnly;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The file of the audit log. Whole lines are appended, many at a time, so that several processes can share the
/// file. One thread uses it. It never throws.
final class AuditFile {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

    /// Guards the rotation between the logs of this process, since a file lock only guards it between processes.
    private static final Object ROTATION = new Object();

    private final Path folder;
    private final Path file;
    private final long rotateAt;
    private @Nullable FileChannel channel;
    private @Nullable Object identity; // the identity of the open file
    private boolean brokenLine; // the last write stopped inside a line
    private boolean warned;
    private long lost;

    AuditFile(Path folder, long rotateAt) {
        this.folder = folder;
        this.file = folder.resolve("audit.jsonl");
        this.rotateAt = rotateAt;
    }

    void append(List<AuditLine> lines) {
        try {
            FileChannel target = current();
            ByteArrayOutputStream batch = new ByteArrayOutputStream();
            if (brokenLine) {
                batch.write('\n');
            }
            if (lost > 0) {
                batch.writeBytes(lines.getFirst().lost(lost));
            }
            for (AuditLine line : lines) {
                batch.writeBytes(line.bytes());
            }
            write(target, ByteBuffer.wrap(batch.toByteArray()));
            lost = 0;
        } catch (IOException | RuntimeException e) {
            lost += lines.size();
            warn(e);
            close();
        }
    }

    /// Appends the bytes with one system call, so that they do not mix with those of other processes. Only a
    /// disk that is nearly full takes a part of them.
    private void write(FileChannel target, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            target.write(bytes);
            brokenLine = bytes.position() > 0 && bytes.get(bytes.position() - 1) != '\n';
        }
    }

    /// Returns a channel to the file that has the log's name now. Another process may have rotated or removed
    /// the file that was open.
    private FileChannel current() throws IOException {
        FileChannel open = channel;
        if (open == null || !Objects.equals(identity, identity())) {
            close();
            open = open();
        }
        if (open.size() >= rotateAt) {
            close();
            rotate();
            open = open();
        }
        return open;
    }

    private FileChannel open() throws IOException {
        Folders.create(folder);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("'" + file + "' is not a regular file. Move it away."); // opening a pipe would block
        }
        FileChannel opened = OwnerOnly.open(file, WRITE, APPEND, CREATE);
        channel = opened;
        identity = identity();
        try {
            if (!Files.getPosixFilePermissions(file).equals(OwnerOnly.FILE.value())) {
                Files.setPosixFilePermissions(file, OwnerOnly.FILE.value());
            }
        } catch (NoSuchFileException e) {
            LOG.debug("Another log rotated {} meanwhile; what we write goes with it", file);
        }
        return opened;
    }

    /// Renames the full file to the next free number. If several processes want that, the first one does it.
    private void rotate() throws IOException {
        synchronized (ROTATION) {
            try (FileChannel guard = OwnerOnly.open(folder.resolve("audit.lock"), WRITE, CREATE);
                    FileLock held = guard.lock()) {
                if (!held.isValid() || !Files.exists(file) || Files.size(file) < rotateAt) {
                    return;
                }
                int number = 1;
                while (Files.exists(folder.resolve("audit." + number + ".jsonl"))) {
                    number++;
                }
                Files.move(file, folder.resolve("audit." + number + ".jsonl"));
            }
        }
    }

    private @Nullable Object identity() throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void warn(Exception e) {
        if (!warned) {
            warned = true;
            LOG.warn(
                    "The audit log {} cannot be written; calls go on without it. Make room or allow writing there. ({})",
                    file,
                    e.toString());
        }
    }

    void close() {
        FileChannel open = channel;
        channel = null;
        identity = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                warn(e);
            }
        }
    }
}
