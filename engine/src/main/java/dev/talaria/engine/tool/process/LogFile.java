package dev.talaria.engine.tool.process;

import dev.talaria.api.Reason;
import dev.talaria.engine.util.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes a process's raw output into two files that take turns. Together they hold the last four to eight
/// megabytes. Each file begins with its position in the whole output, see {@link ProcessLog}. Only the owner can
/// read them.
final class LogFile implements AutoCloseable {
    static final long HALF = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(LogFile.class);

    private final Path file;
    private @Nullable FileChannel channel; // this and below: guarded by this
    private long written;
    private long before; // the bytes in older files, and the number of the line that they ended in
    private long lines;
    private boolean broken;

    LogFile(Path file) {
        this.file = file;
    }

    /// Takes all remaining bytes. A full disk ends the log, not the process.
    synchronized void accept(ByteBuffer data) {
        if (broken) {
            return;
        }
        try {
            FileChannel open = channel == null ? open() : channel;
            channel = open;
            for (int i = data.position(); i < data.limit(); i++) {
                lines += data.get(i) == '\n' ? 1 : 0;
            }
            boolean lineEnds = data.hasRemaining() && data.get(data.limit() - 1) == '\n';
            while (data.hasRemaining()) {
                written += open.write(data);
            }
            if (written >= HALF && (lineEnds || written >= 2 * HALF)) {
                open.close();
                channel = null;
                before += written;
                Files.move(file, ProcessLog.older(file), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            LOG.warn("{} ends here: {}", file, Reason.of(e));
            broken = true;
        }
    }

    private FileChannel open() throws IOException {
        written = 0;
        FileChannel open = OwnerOnly.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        Channels.newOutputStream(open).write(ProcessLog.head(before, lines));
        return open;
    }

    /// Closes the file. The log stays on disk.
    @Override
    public synchronized void close() {
        broken = true;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("Closing {}", file, e);
            }
            channel = null;
        }
    }
}
