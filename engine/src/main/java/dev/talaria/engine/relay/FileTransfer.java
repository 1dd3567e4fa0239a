package dev.talaria.engine.relay;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.start.Patience;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/// One file on its way between host and sandbox.
final class FileTransfer {
    private final int id;
    private final long most;
    private final IntConsumer done;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream(); // written by the relay's reader thread
    private final CompletableFuture<String> arrived = new CompletableFuture<>();

    /// @param most how many bytes may come
    FileTransfer(int id, long most, IntConsumer done) {
        this.id = id;
        this.most = most;
        this.done = done;
    }

    int id() {
        return id;
    }

    void data(ByteBuffer part) {
        if (part.remaining() > most - content.size()) {
            throw new IllegalStateException("more than the " + most + " bytes that were asked for");
        }
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        content.writeBytes(bytes);
    }

    void ended(Map<String, Object> report) {
        arrived.complete(String.valueOf(report.get("path")));
    }

    void failed(String errno, SandboxException problem) {
        arrived.completeExceptionally(
                switch (errno) {
                    case "ENOENT", "ENOTDIR" ->
                        new SandboxException(ErrorCode.FILE_NOT_FOUND, String.valueOf(problem.getMessage()));
                    case "EACCES", "EPERM", "EROFS", "EISDIR", "EINVAL" ->
                        new SandboxException(ErrorCode.FILE_REFUSED, String.valueOf(problem.getMessage()));
                    default -> problem;
                });
    }

    byte[] content() {
        return content.toByteArray();
    }

    /// Returns the file's real path, when all of it has arrived.
    String await(Patience patience) {
        try {
            return patience.await(arrived);
        } finally {
            done.accept(id);
        }
    }
}
