package dev.talaria.engine.job.relay;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Patience;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/// One file on its way between host and sandbox.
final class FileTransfer {
    private final int id;
    private final long most;
    private final IntConsumer done;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream(); // written by the relay's reader thread
    private final CompletableFuture<Map<String, Object>> arrived = new CompletableFuture<>();
    private long written; // this and the next field: guarded by this
    private CompletableFuture<Boolean> more = new CompletableFuture<>(); // completes when more is written

    /// @param most the largest number of bytes that may arrive
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
        arrived.complete(report);
    }

    synchronized void written(int count) {
        written += count;
        more.complete(true);
        more = new CompletableFuture<>();
    }

    /// Waits until the relay has written this many of our bytes.
    void awaitWritten(long count, Patience patience) {
        for (var next = unlessWritten(count); next.isPresent(); next = unlessWritten(count)) {
            patience.await(next.get());
        }
    }

    private synchronized Optional<CompletableFuture<Boolean>> unlessWritten(long count) {
        return written >= count ? Optional.empty() : Optional.of(more);
    }

    void failed(String errno, SandboxException problem) {
        SandboxException found = switch (errno) {
            case "ENOENT", "ENOTDIR" ->
                new SandboxException(ErrorCode.FILE_NOT_FOUND, String.valueOf(problem.getMessage()));
            case "EACCES", "EPERM", "EROFS", "EISDIR", "EINVAL", "ELOOP" ->
                new SandboxException(ErrorCode.FILE_REFUSED, String.valueOf(problem.getMessage()));
            default -> problem;
        };
        arrived.completeExceptionally(found);
        synchronized (this) {
            more.completeExceptionally(found);
        }
    }

    /// Waits until everything has arrived, and returns it.
    byte[] content(Patience patience) {
        var _ = report(patience);
        return content.toByteArray();
    }

    /// Waits for the relay's final report.
    Map<String, Object> report(Patience patience) {
        try {
            return patience.await(arrived);
        } finally {
            done.accept(id);
        }
    }
}
