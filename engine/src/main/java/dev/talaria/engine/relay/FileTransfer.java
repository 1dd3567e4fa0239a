package dev.talaria.engine.relay;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/// One file on its way between host and sandbox.
final class FileTransfer {
    private final int id;
    private final IntConsumer done;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream(); // written by the relay's reader thread
    private final CompletableFuture<String> arrived = new CompletableFuture<>();

    FileTransfer(int id, IntConsumer done) {
        this.id = id;
        this.done = done;
    }

    int id() {
        return id;
    }

    void data(ByteBuffer part) {
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
    String await(Duration patience) {
        try {
            return arrived.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SandboxException problem ? problem : new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The sandbox did not answer in time.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "Interrupted while waiting for the sandbox.", e);
        } finally {
            done.accept(id);
        }
    }
}
