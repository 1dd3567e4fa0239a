package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Orphans;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.relay.FrameHeader;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.json.JsonFields;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process that a guardian looks after, see `guardian.py`. The process goes on when this connection ends.
final class SurvivingJob implements Job {
    private static final Logger LOG = LoggerFactory.getLogger(SurvivingJob.class);
    private static final int INPUT_WINDOW = 1 << 20;
    private static final int MOST = 4 << 20;

    private final SurvivingProcess process;
    private final OutputSink sink;
    private final LongConsumer position;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private final Semaphore inputRoom = new Semaphore(INPUT_WINDOW);
    private final Optional<SocketChannel> channel;
    private boolean heard; // only the reader: whether the guardian has sent any output
    private volatile boolean released; // written by release(), read by the reader

    private SurvivingJob(SurvivingProcess process, OutputSink sink, LongConsumer position) {
        this.process = process;
        this.sink = sink;
        this.position = position;
        this.channel = open(process);
    }

    /// Listens to a guardian, beginning with the last output of its process.
    static SurvivingJob connect(SurvivingProcess process, OutputSink sink) {
        return connect(process, sink, _ -> {});
    }

    /// Listens to a guardian.
    ///
    /// @param position receives the number of bytes that the process printed before the sink's next output
    static SurvivingJob connect(SurvivingProcess process, OutputSink sink, LongConsumer position) {
        return connect(process, sink, position, Map.of());
    }

    /// Listens to a guardian.
    ///
    /// @param wish `lines`: the number of lines to begin with, instead of all that the guardian has
    static SurvivingJob connect(
            SurvivingProcess process, OutputSink sink, LongConsumer position, Map<String, Object> wish) {
        SurvivingJob job = new SurvivingJob(process, sink, position);
        if (job.channel.isPresent()) {
            job.send((byte) 'S', ByteBuffer.wrap(Json.bytes(wish)));
            Thread.ofVirtual().name("surviving-" + process.id()).start(job::read);
        } else {
            job.over();
        }
        return job;
    }

    private static Optional<SocketChannel> open(SurvivingProcess process) {
        try {
            return Optional.of(SocketChannel.open(UnixDomainSocketAddress.of(process.socket())));
        } catch (IOException e) {
            LOG.debug("The guardian of {} does not listen", process.id(), e);
            return Optional.empty();
        }
    }

    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(MOST + FrameHeader.BYTES);
        try {
            while (channel.orElseThrow().read(buffer) >= 0) {
                buffer.flip();
                while (buffer.remaining() >= FrameHeader.BYTES) {
                    FrameHeader header = FrameHeader.at(buffer, buffer.position());
                    if (!header.fits(MOST)) {
                        throw new IOException("a frame of " + header.length() + " bytes");
                    }
                    int whole = FrameHeader.BYTES + header.length();
                    if (buffer.remaining() < whole) {
                        break;
                    }
                    ByteBuffer payload = buffer.slice(buffer.position() + FrameHeader.BYTES, header.length());
                    buffer.position(buffer.position() + whole);
                    take(header.kind(), payload);
                }
                buffer.compact();
            }
        } catch (IOException e) {
            LOG.debug("The guardian of {} has gone", process.id(), e);
        }
        over();
    }

    private void take(byte kind, ByteBuffer payload) {
        switch (kind) {
            case 'O' -> sink.accept(Stream.STDOUT, payload);
            case 'p' -> {
                heard = true;
                position.accept(payload.getLong());
            }
            case 'w' -> inputRoom.release(Math.clamp(payload.getInt(), 0, INPUT_WINDOW));
            default -> {} // the end is also in a file
        }
    }

    /// Ends the job when the guardian is gone: the guardian's file says how the process ended, or nobody knows.
    private void over() {
        inputRoom.release(INPUT_WINDOW); // a writer to a dead process must not wait
        if (released) {
            return;
        }
        if (!heard) { // the guardian ended before we reached it
            byte[] last = process.log().last(RollingOutput.CAPACITY);
            process.report()
                    .flatMap(report -> Optional.ofNullable(report.get("total")))
                    .ifPresent(total -> position.accept(((Number) total).longValue() - last.length));
            sink.accept(Stream.STDOUT, ByteBuffer.wrap(last));
        }
        sink.end();
        process.report().ifPresentOrElse(report -> exit.complete(Exit.of(report)), () -> {
            Orphans.end(); // the processes that its process has started
            exit.completeExceptionally(new SandboxException(
                    ErrorCode.SANDBOX_LOST,
                    "The guardian of this process has gone without saying how the process ended;"
                            + " whether all of it has ended is not known."));
        });
    }

    private synchronized void send(byte kind, ByteBuffer payload) {
        ByteBuffer header = new FrameHeader(payload.remaining(), kind, 0).bytes();
        try {
            if (channel.isPresent()) {
                ByteBuffer[] parts = {header, payload};
                while (payload.hasRemaining() || header.hasRemaining()) {
                    channel.get().write(parts);
                }
            }
        } catch (IOException e) {
            LOG.debug("The guardian of {} has gone", process.id(), e); // the reader notices it by itself
        }
    }

    @Override
    public CompletableFuture<Exit> exit() {
        return exit;
    }

    @Override
    public CompletableFuture<OptionalLong> pid() {
        return CompletableFuture.completedFuture(OptionalLong.of(process.pid()));
    }

    @Override
    public void kill(Duration grace) {
        send((byte) 'K', ByteBuffer.wrap(Json.bytes(Map.of("grace", grace.toMillis() / 1000.0))));
    }

    @Override
    public void write(ByteBuffer data) {
        inputRoom.acquireUninterruptibly(data.remaining());
        send((byte) 'I', data);
    }

    @Override
    public boolean offer(ByteBuffer data) {
        if (!inputRoom.tryAcquire(data.remaining())) {
            return false;
        }
        send((byte) 'I', data);
        return true;
    }

    @Override
    public void endInput() {
        send((byte) 'i', ByteBuffer.allocate(0));
    }

    @Override
    public void resize(JobSpec.Screen screen) {
        send((byte) 'Z', ByteBuffer.wrap(Json.bytes(Map.of("rows", screen.rows(), "columns", screen.columns()))));
    }

    @Override
    public Optional<String> killedBy() {
        return process.report()
                .filter(report -> JsonFields.isTrue(report, "killed"))
                .map(_ -> "process.kill");
    }

    @Override
    public Instant endedAt() {
        return process.report()
                .flatMap(report -> Optional.ofNullable(report.get("at")))
                .filter(Number.class::isInstance)
                .map(at -> Instant.ofEpochMilli((long) (((Number) at).doubleValue() * 1000)))
                .orElseGet(Instant::now);
    }

    @Override
    public void release() {
        released = true;
        channel.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("Closing", e);
            }
        });
    }
}
