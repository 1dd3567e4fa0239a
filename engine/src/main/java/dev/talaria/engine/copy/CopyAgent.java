package dev.talaria.engine.copy;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Resources;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Our program in a sandbox that makes one copy. It is a job of the relay like any other, so its data shares the
/// relay's channel with other jobs and waits when the reader is slow.
final class CopyAgent implements AutoCloseable {
    /// Loads the program from stdin, so that nothing is installed and the command line stays short.
    private static final String LOADER = """
            import os
            def r(n):
             b=b''
             while len(b)<n:
              d=os.read(0,n-len(b))
              if not d: raise SystemExit(1)
              b+=d
             return b
            exec(compile(r(int(r(8))),'copy_agent.py','exec'))""";

    private static final byte[] PROGRAM = Resources.bytes(CopyAgent.class, "copy_agent.py");
    private static final int MOST_SAID = 2000;
    private static final int MOST_UNREAD = 16;

    /// Receives the messages and data of an agent in order, on the relay's own thread. An exception ends the
    /// copy.
    interface Receiver {
        default void told(Map<String, Object> message) {}

        void data(ByteBuffer part);
    }

    private final Patience patience;
    private final Receiver receiver;
    private final CopyAgentFrames frames;
    private final LinkedBlockingQueue<CompletableFuture<Map<String, Object>>> unread = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream(); // ByteArrayOutputStream is synchronized
    private final Job job;
    private final AutoCloseable listening;
    private CompletableFuture<Map<String, Object>> next = new CompletableFuture<>(); // guarded by unread
    private volatile @Nullable RuntimeException refused; // the receiver's exception; written by the job's reader

    private CopyAgent(Relay relay, Receiver receiver, Patience patience) {
        this.patience = patience;
        this.receiver = receiver;
        this.frames = new CopyAgentFrames(this::message, receiver::data);
        unread.add(next);
        List<String> argv = List.of(relay.info().python(), "-I", "-S", "-c", LOADER);
        this.job = relay.start(JobSpec.Program.of(argv).withInput().in("/"), this::output);
        this.listening = patience.cancellation().onCancel(this::kill);
        var _ = job.exit().whenComplete((exit, problem) -> ended(problem));
        var _ = job.exit()
                .copy()
                .orTimeout(patience.deadline().remaining().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((_, problem) -> {
                    if (problem instanceof TimeoutException) {
                        kill();
                    }
                });
    }

    /// Starts an agent.
    ///
    /// @param order what the agent does, as `copy_agent.py` reads it
    static CopyAgent start(Relay relay, Map<String, Object> order, Receiver receiver, Patience patience) {
        CopyAgent agent = new CopyAgent(relay, receiver, patience);
        try {
            ByteArrayOutputStream first = new ByteArrayOutputStream();
            first.writeBytes(sized(PROGRAM));
            first.writeBytes(sized(Json.bytes(order)));
            agent.send(ByteBuffer.wrap(first.toByteArray()));
            return agent;
        } catch (RuntimeException e) {
            agent.close();
            throw e;
        }
    }

    private static byte[] sized(byte[] content) {
        byte[] size = String.format("%08d", content.length).getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(size.length + content.length)
                .put(size)
                .put(content)
                .array();
    }

    void tell(Map<String, Object> message) {
        send(ByteBuffer.wrap(sized(Json.bytes(message))));
    }

    /// Sends content and waits while the agent is slow to read it.
    void send(ByteBuffer content) {
        patience.check();
        job.write(content);
        if (job.exit().isDone()) { // the content was dropped, since the job has ended
            patience.check();
            var _ = answer();
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The copy was cut.");
        }
    }

    /// Returns a stream whose bytes are sent as content.
    OutputStream stream() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                send(ByteBuffer.wrap(bytes, offset, length));
            }
        };
    }

    /// Waits for the agent's next message and returns it.
    ///
    /// @throws SandboxException if the agent failed or ended
    /// @throws GaveUpException if the call could not wait longer
    Map<String, Object> answer() {
        CompletableFuture<Map<String, Object>> coming = unread.element();
        Map<String, Object> message = patience.await(coming);
        unread.remove();
        if (message.get("error") instanceof String error) {
            throw problem(String.valueOf(message.get("errno")), error);
        }
        return message;
    }

    private static SandboxException problem(String errno, String what) {
        ErrorCode code = switch (errno) {
            case "ENOENT", "ENOTDIR" -> ErrorCode.FILE_NOT_FOUND;
            case "EACCES", "EPERM", "EROFS", "EISDIR", "EINVAL", "ENOSPC", "EDQUOT" -> ErrorCode.FILE_REFUSED;
            default -> ErrorCode.TOOL_FAILED;
        };
        return new SandboxException(code, what);
    }

    private void output(Stream stream, ByteBuffer data) {
        if (refused != null) {
            return;
        }
        try {
            if (stream == Stream.STDERR) {
                byte[] text = new byte[Math.min(data.remaining(), MOST_SAID - Math.min(MOST_SAID, said.size()))];
                data.get(text);
                said.writeBytes(text);
            } else {
                frames.accept(data);
            }
        } catch (UncheckedIOException e) {
            refuse(new SandboxException(ErrorCode.FILE_REFUSED, "Cannot write: " + Reason.of(e), e));
        } catch (SandboxException e) {
            refuse(e);
        } catch (RuntimeException e) {
            refuse(new SandboxException(
                    ErrorCode.SANDBOX_LOST, "The other end of the copy went wrong: " + Reason.of(e) + ".", e));
        }
    }

    private void refuse(RuntimeException why) {
        refused = why;
        kill();
    }

    private void message(Map<String, Object> message) {
        if (unread.size() > MOST_UNREAD) {
            throw new IllegalArgumentException("it talks without being asked");
        }
        receiver.told(message);
        synchronized (unread) {
            CompletableFuture<Map<String, Object>> now = next;
            next = new CompletableFuture<>();
            unread.add(next);
            now.complete(message);
        }
    }

    private void ended(@Nullable Throwable problem) {
        RuntimeException why = refused != null
                ? refused
                : problem instanceof RuntimeException lost
                        ? lost
                        : new SandboxException(
                                ErrorCode.SANDBOX_LOST, "The copy was cut" + (said.size() == 0 ? "." : ": " + text()));
        synchronized (unread) {
            next.completeExceptionally(why);
        }
    }

    private String text() {
        String all = said.toString(StandardCharsets.UTF_8).strip();
        return all.substring(all.lastIndexOf('\n') + 1);
    }

    void endInput() {
        job.endInput();
    }

    private void kill() {
        job.kill(Supervisor.CANCEL_GRACE);
    }

    /// Ends the agent if it still runs, and waits for its end.
    @Override
    public void close() {
        try {
            if (!job.exit().isDone()) {
                kill();
            }
            listening.close();
            Exit _ = job.exit().get(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            // The caller that waits for an answer gets the failure.
        }
    }
}
