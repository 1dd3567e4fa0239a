package dev.talaria.engine.job.relay;

import dev.talaria.engine.job.Patience;
import dev.talaria.engine.json.JsonFields;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A file to be written in the sandbox as a whole: readers see the old content or the new one, never
/// a part.
///
/// It takes one round trip. If the caller asks for the real path first, it takes two, and the relay
/// holds the file's folder open between them.
public final class Upload implements AutoCloseable {
    private static final int PART = 1 << 18;
    private static final long AHEAD = 4L * PART; // bytes that may be on their way without an acknowledgement

    private final Relay relay;
    private final String path;
    private @Nullable UploadedFile held;
    private @Nullable FileTransfer open; // the transfer whose folder the relay holds open

    Upload(Relay relay, String path) {
        this.relay = relay;
        this.path = path;
    }

    /// The real place of the file.
    ///
    /// @param path the path without links
    /// @param homes the home folders of the sandbox's user, without links
    public record UploadedFile(String path, List<String> homes) {
        public UploadedFile {
            homes = List.copyOf(homes);
        }
    }

    /// Opens the file's folder in the relay, holds it open and returns its path.
    ///
    /// @throws dev.talaria.api.SandboxException if there can be no such file
    public UploadedFile held(Patience patience) {
        UploadedFile known = held;
        if (known == null) {
            FileTransfer transfer = relay.open(0);
            open = transfer;
            relay.send(FrameKind.WRITE, transfer.id(), Map.of("path", path, "held", true, "acknowledges", true));
            Map<String, Object> report = transfer.report(patience);
            known = new UploadedFile(String.valueOf(report.get("path")), JsonFields.texts(report, "homes"));
            held = known;
        }
        return known;
    }

    /// Writes the file and returns its real path.
    ///
    /// @throws dev.talaria.api.SandboxException if that failed, or if the path leads elsewhere by now
    public String write(byte[] content, Patience patience) {
        FileTransfer transfer = open == null ? relay.open(0) : relay.open(open.id(), 0);
        if (open == null) {
            relay.send(FrameKind.WRITE, transfer.id(), Map.of("path", path, "acknowledges", content.length > AHEAD));
        }
        open = transfer;
        for (int at = 0; at < content.length; at += PART) {
            int size = Math.min(PART, content.length - at);
            relay.send(FrameKind.INPUT, transfer.id(), ByteBuffer.wrap(content, at, size));
            if (content.length > AHEAD) {
                transfer.awaitWritten(at + size - AHEAD, patience);
            }
        }
        relay.send(FrameKind.INPUT_END, transfer.id(), ByteBuffer.allocate(0));
        String written = String.valueOf(transfer.report(patience).get("path"));
        open = null;
        return written;
    }

    /// Releases a file that was not written.
    @Override
    public void close() {
        FileTransfer left = open;
        open = null;
        if (left != null) {
            relay.sendQuietly(FrameKind.KILL, left.id(), Map.of("grace", 0));
            relay.forget(left);
        }
    }
}
