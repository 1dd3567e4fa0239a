package dev.talaria.engine.job.relay;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.RelayOptions.Heartbeat;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The host's end of one live channel to a sandbox: starts jobs, transfers their output, files and
/// tool calls.
///
/// Nothing that arrives is trusted: sizes are limited, unknown ids are ignored, anything out of order
/// ends the relay.
public final class Relay implements Launcher, AutoCloseable {
    /// How many bytes of a stream may be on their way before the relay waits for us.
    static final int WINDOW = 4 << 20;

    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(1); // on this machine
    private static final Duration ANSWERS_FROM_AFAR_WITHIN = Duration.ofSeconds(5);
    private static final int MOST_WAKES = 3; // a relay that needs more is stopped again and again
    private static final Duration STEP = Duration.ofMillis(50);
    private static final int BUFFER = 1 << 16;
    private static final int MOST_OF_A_LINE = 64 << 20; // the variables of a shell, or our compiled program

    private final String name;
    private final RunningProcess process;
    private final RelayLink link;
    private final Heartbeat heartbeat;
    private final RelayEnd end;
    private final Thread pinger;
    private final RelayInfo info;
    private final ToolConnections connections;
    private final ReentrantLock writing = new ReentrantLock();
    private final RunParameters known = new RunParameters();
    private final AtomicInteger nextId = new AtomicInteger();
    private final Map<Integer, RelayJob> jobs = new ConcurrentHashMap<>();
    private final Map<Integer, FileTransfer> transfers = new ConcurrentHashMap<>();
    private int streamLeft; // this and the next two belong to the reader thread: the stream frame that it is reading
    private byte streamKind;
    private int streamId;
    private volatile @Nullable SandboxException lost; // written by the first thread that notices, read by all
    private volatile boolean busy; // written by the reader thread, read by the pinger
    private volatile long heard = System.nanoTime(); // written by the reader thread, read by the pinger
    private final AtomicLong frames = new AtomicLong(); // counts begin and end of each frame; odd while we write

    /// @param end ends or wakes the relay from outside
    Relay(
            String name,
            RunningProcess process,
            RelayLink link,
            ByteBuffer unread,
            RelayInfo info,
            ConnectionAcceptor tools,
            Heartbeat heartbeat,
            RelayEnd end) {
        this.name = name;
        this.process = process;
        this.link = link;
        this.heartbeat = heartbeat;
        this.end = end;
        this.info = info;
        this.connections = new ToolConnections(this, tools);
        this.pinger = Thread.ofVirtual().name("relay-ping-" + name).unstarted(this::ping);
        ByteBuffer buffer =
                link.newBuffer(Math.max(BUFFER, unread.remaining())).put(unread).flip();
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().name("relay-" + name).start(() -> serve(buffer));
        pinger.start();
    }

    public RelayInfo info() {
        return info;
    }

    /// Returns whether the channel still works, as far as we know.
    public boolean alive() {
        return lost == null;
    }

    @Override
    public Job start(JobSpec spec, OutputSink sink) {
        int id = nextId.incrementAndGet();
        RelayJob job = new RelayJob(this, id, sink, spec);
        jobs.put(id, job);
        try {
            known.send(spec, parameters -> send(FrameKind.RUN, id, parameters));
        } catch (SandboxException e) {
            jobs.remove(id);
            // The relay never got the whole frame, so nothing ran.
            throw SandboxException.passing(e.code(), String.valueOf(e.getMessage()), e);
        }
        return job;
    }

    /// Starts an interpreter before its first run.
    public void warm(Optional<String> python, Map<String, String> environment, boolean inherit) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        python.ifPresent(path -> parameters.put("python", path));
        parameters.put("env", environment);
        parameters.put("env_hash", "warm");
        parameters.put("inherit", inherit);
        send(FrameKind.WARM, 0, parameters);
    }

    /// Returns at most `limit` bytes of a file. This is for small pieces; copies transfer large
    /// files.
    public byte[] readFile(String path, long offset, long limit, Patience patience) {
        return fetch(FrameKind.READ, Map.of("path", path, "offset", offset, "limit", limit), limit, patience);
    }

    /// Returns an upload to a path; nothing is done yet.
    public Upload upload(String path) {
        return new Upload(this, path);
    }

    /// Returns the program, arguments and environment that would run a command line in the session's
    /// shell: one line of JSON, with all of the shell's variables.
    public byte[] line(JobSpec.Program program, Patience patience) {
        FileTransfer transfer = open(MOST_OF_A_LINE);
        known.send(program, parameters -> sendQuietly(FrameKind.LINE, transfer.id(), parameters));
        return transfer.content(patience);
    }

    /// Keeps a job from changing its session. When this returns, a job that has changed it before has
    /// ended.
    void apart(int job, Patience patience) {
        var _ = fetch(FrameKind.APART, Map.of("job", job), 0, patience);
    }

    /// Returns the relay's own program, compiled by its interpreter.
    byte[] compiled(Patience patience) {
        return fetch(FrameKind.COMPILED, Map.of(), MOST_OF_A_LINE, patience);
    }

    /// Sends an order and returns the bytes that answer it.
    private byte[] fetch(byte kind, Map<String, Object> order, long most, Patience patience) {
        FileTransfer transfer = open(most);
        sendQuietly(kind, transfer.id(), order);
        return transfer.content(patience);
    }

    /// Returns a new transfer.
    ///
    /// @param most the largest number of bytes that may arrive besides a report
    FileTransfer open(long most) {
        return open(nextId.incrementAndGet(), most);
    }

    /// Returns a new transfer, or the next part of one that has received a report.
    FileTransfer open(int id, long most) {
        FileTransfer transfer = new FileTransfer(id, most, transfers::remove);
        transfers.put(id, transfer);
        SandboxException gone = lost;
        if (gone != null) { // all others have been told already
            transfer.failed("", gone);
        }
        return transfer;
    }

    void forget(FileTransfer transfer) {
        transfers.remove(transfer.id());
    }

    /// Gives credit for the bytes of a stream that we have taken, once they are many. Returns the
    /// number of bytes that were not credited yet.
    int credit(int id, byte stream, int taken) {
        if (taken < WINDOW / 4) {
            return taken;
        }
        sendQuietly(
                FrameKind.CREDIT,
                id,
                ByteBuffer.allocate(5).put(stream).putInt(taken).flip());
        return 0;
    }

    void send(byte kind, int id, Map<String, Object> payload) {
        send(kind, id, ByteBuffer.wrap(Json.bytes(payload)));
    }

    void send(byte kind, int id, ByteBuffer payload) {
        writing.lock();
        sendLocked(kind, id, payload);
    }

    private void sendLocked(byte kind, int id, ByteBuffer payload) {
        ByteBuffer header = new FrameHeader(payload.remaining(), kind, id).bytes();
        try {
            if (lost != null) {
                throw lost;
            }
            frames.incrementAndGet();
            link.write(header, payload);
            frames.incrementAndGet();
        } catch (IOException e) {
            throw lose("The relay in sandbox " + name + " has gone", e);
        } finally {
            writing.unlock();
        }
    }

    void sendQuietly(byte kind, int id, Map<String, Object> payload) {
        sendQuietly(kind, id, ByteBuffer.wrap(Json.bytes(payload)));
    }

    private void sendQuietly(byte kind, int id, ByteBuffer payload) {
        try {
            send(kind, id, payload);
        } catch (SandboxException e) {
            // The reader thread tells everybody who waits for an answer.
        }
    }

    /// Serves the content of the buffer and reads on. This thread serves a quick tool call itself. If
    /// the call takes too long, another thread continues here, and this one ends with its work.
    private void serve(ByteBuffer first) {
        ByteBuffer buffer = first;
        try {
            do {
                busy = true; // a slow receiver of the output is not the relay's silence
                Step step = next(buffer);
                while (step == Step.TAKEN) {
                    step = next(buffer);
                }
                if (step == Step.HANDED_OVER) {
                    return;
                }
                heard = System.nanoTime();
                busy = false;
                buffer = withRoom(buffer);
            } while (more(buffer));
            lose("The relay in sandbox " + name + " has ended", null);
        } catch (IOException e) {
            lose("The relay in sandbox " + name + " has gone", e);
        } catch (RuntimeException e) {
            lose("The relay in sandbox " + name + " sent what it must not (" + e.getMessage() + ")", e);
        }
        close();
    }

    /// Makes room for more bytes. There may be hundreds of relays, so only a large frame that must be
    /// complete gets a large buffer.
    private ByteBuffer withRoom(ByteBuffer buffer) {
        boolean inFrame = streamLeft == 0 && buffer.remaining() >= FrameHeader.BYTES;
        int whole = inFrame ? FrameHeader.BYTES + buffer.getInt(buffer.position()) : 0;
        int size = Math.max(BUFFER, whole);
        return size == buffer.capacity()
                ? buffer.compact()
                : link.newBuffer(size).put(buffer);
    }

    private boolean more(ByteBuffer buffer) throws IOException {
        int count = link.read(buffer);
        buffer.flip();
        return count >= 0;
    }

    /// The result of one look at the buffer: it had a frame or a part of one, nothing yet, or a frame
    /// that is served here while another thread reads on.
    private enum Step {
        TAKEN,
        NOT_YET,
        HANDED_OVER
    }

    private Step next(ByteBuffer buffer) {
        if (streamLeft > 0) {
            return restOfStream(buffer);
        }
        if (buffer.remaining() < FrameHeader.BYTES) {
            return Step.NOT_YET;
        }
        int start = buffer.position();
        FrameHeader header = FrameHeader.at(buffer, start);
        int length = header.length();
        if (!header.fits(FrameKind.MAX_PAYLOAD)) {
            throw new IllegalStateException("a frame of " + Integer.toUnsignedLong(length) + " bytes");
        }
        if (FrameKind.streams(header.kind())) {
            streamLeft = length;
            streamKind = header.kind();
            streamId = header.id();
            buffer.position(start + FrameHeader.BYTES);
            return length == 0 ? Step.TAKEN : restOfStream(buffer);
        }
        if (buffer.remaining() < FrameHeader.BYTES + length) {
            return Step.NOT_YET;
        }
        ByteBuffer payload = buffer.slice(start + FrameHeader.BYTES, length);
        buffer.position(start + FrameHeader.BYTES + length);
        dispatch(header.kind(), header.id(), payload);
        return Step.TAKEN;
    }

    /// Passes on a stream's bytes as they arrive: waiting for the whole frame would mean copying it.
    private Step restOfStream(ByteBuffer buffer) {
        int count = Math.min(streamLeft, buffer.remaining());
        if (count == 0) {
            return Step.NOT_YET;
        }
        ByteBuffer part = buffer.slice(buffer.position(), count);
        buffer.position(buffer.position() + count);
        streamLeft -= count;
        int id = streamId;
        switch (streamKind) {
            case FrameKind.STDOUT ->
                Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.output(Stream.STDOUT, part));
            case FrameKind.STDERR ->
                Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.output(Stream.STDERR, part));
            case FrameKind.FILE_DATA -> Optional.ofNullable(transfers.get(id)).ifPresent(file -> file.data(part));
            default -> {
                return request(id, part, buffer);
            }
        }
        return Step.TAKEN;
    }

    private Step request(int id, ByteBuffer part, ByteBuffer buffer) {
        if (buffer.hasRemaining()) {
            connections.received(id, part); // other frames wait behind it
            return Step.TAKEN;
        }
        return connections.received(id, part, () -> serve(buffer)) ? Step.TAKEN : Step.HANDED_OVER;
    }

    private void dispatch(byte kind, int id, ByteBuffer payload) {
        switch (kind) {
            case FrameKind.WRITTEN -> written(id, payload.getInt());
            case FrameKind.STARTED -> Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.started(object(payload)));
            case FrameKind.EXIT -> ended(id, object(payload));
            case FrameKind.ASKED -> Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.asked(object(payload)));
            case FrameKind.ERROR -> failed(id, object(payload));
            case FrameKind.CONNECTED -> connections.opened(id);
            case FrameKind.DISCONNECTED -> connections.closed(id);
            case FrameKind.FILE_END ->
                Optional.ofNullable(transfers.get(id)).ifPresent(file -> file.ended(object(payload)));
            case FrameKind.PONG -> {}
            default -> throw new IllegalStateException("a frame of unknown kind " + kind);
        }
    }

    private void written(int id, int count) {
        Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.written(count));
        Optional.ofNullable(transfers.get(id)).ifPresent(file -> file.written(count));
    }

    private void ended(int id, Map<String, Object> report) { // the report is parsed before the job is forgotten
        Optional.ofNullable(jobs.remove(id)).ifPresent(job -> job.ended(report));
    }

    private void failed(int id, Map<String, Object> problem) {
        SandboxException exception = new SandboxException(ErrorCode.TOOL_FAILED, String.valueOf(problem.get("error")));
        Optional.ofNullable(jobs.remove(id)).ifPresent(job -> job.failed(exception));
        Optional.ofNullable(transfers.get(id))
                .ifPresent(file -> file.failed(String.valueOf(problem.get("errno")), exception));
    }

    private static Map<String, Object> object(ByteBuffer payload) {
        byte[] json = new byte[payload.remaining()];
        payload.get(json);
        return Json.object(json);
    }

    /// Asks the relay for a sign of life now and then. While this program itself was stopped (a
    /// closed laptop, Ctrl-Z), the relay was not silent, so each interval counts only for its planned
    /// length.
    private void ping() {
        long silent = 0;
        long stuck = 0;
        try {
            while (lost == null) {
                long heardBefore = heard;
                long framesBefore = frames.get();
                Thread.sleep(heartbeat.every());
                silent = busy || heard != heardBefore ? 0 : silent + 1;
                stuck = framesBefore % 2 == 0 || frames.get() != framesBefore ? 0 : stuck + 1;
                if (Math.max(silent, stuck) * heartbeat.every().toNanos()
                        >= heartbeat.silence().toNanos()) {
                    drop("The relay in sandbox " + name + " does not answer");
                } else {
                    askForASign();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Tells a job to end. A relay answers at once. If a script has stopped the relay, it is woken;
    /// if that does not help, it is ended with all its jobs.
    void kill(int job, Duration grace) {
        // This comes first, since the next line may block.
        Thread.ofVirtual().name("relay-obeys-" + name).start(() -> seeThatItObeys(job));
        sendQuietly(FrameKind.KILL, job, Map.of("grace", grace.toMillis() / 1000.0));
        sendQuietly(FrameKind.PING, 0, Map.of());
    }

    /// Watches the relay until the job has ended. A relay on this machine is given up only if it is
    /// stopped: a busy machine makes it silent, too. A relay on another machine may be silent because
    /// the network is; it is given up only if other commands can be run there.
    private void seeThatItObeys(int job) {
        Duration soon = end.near() ? ANSWERS_WITHIN : ANSWERS_FROM_AFAR_WITHIN;
        try {
            for (int woken = 0; lost == null && jobs.containsKey(job); askForASign()) {
                if (!silentFor(soon)) {
                    Thread.sleep(soon);
                } else if (end.wake()) {
                    woken++;
                    boolean inVain = woken == MOST_WAKES || silentFor(soon.multipliedBy(2));
                    if (inVain && jobs.containsKey(job)) { // the job may have ended meanwhile, and others may run
                        drop("The relay in sandbox " + name + " was stopped and did not do what it was told");
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Asks the relay for an answer, unless another thread is writing to it: a relay that does not
    /// read may block that thread.
    private void askForASign() {
        if (writing.tryLock()) {
            try {
                sendLocked(FrameKind.PING, 0, ByteBuffer.wrap(Json.bytes(Map.of())));
            } catch (SandboxException e) {
                // The reader thread notices it by itself.
            }
        }
    }

    /// Waits for a sign of life. Counts steps, not time, since this program itself may be stopped.
    private boolean silentFor(Duration limit) throws InterruptedException {
        long before = heard;
        for (long steps = limit.dividedBy(STEP); steps > 0; steps--) {
            Thread.sleep(STEP);
            if (lost != null || busy || heard != before) {
                return false;
            }
        }
        return true;
    }

    /// Forgets a job that did not end after a kill. If the relay still sends, the connection works: a
    /// relay that does not obey is of no use, and is dropped.
    void abandon(int job) {
        boolean known = jobs.remove(job) != null;
        long lately = heartbeat.every().plus(heartbeat.every().dividedBy(3)).toNanos();
        if (known && (busy || System.nanoTime() - heard < lately)) {
            drop("The relay in sandbox " + name + " did not end what it was told to end");
        }
    }

    /// Ends a relay without a goodbye.
    private void drop(String why) {
        process.kill(); // the sandbox should know before the next call
        lose(why, null);
        close();
    }

    /// Notes that the relay is lost. Tells everybody who waits for it, once it is known what became
    /// of its jobs.
    private SandboxException lose(String what, @Nullable Throwable cause) {
        SandboxException problem = lostBy(what, cause);
        synchronized (this) {
            if (lost != null) {
                return lost;
            }
            lost = problem;
        }
        quieten();
        // In a thread of its own, and a platform one: the noticing thread has other work, and a
        // sandbox may be slow.
        Thread.ofPlatform()
                .daemon()
                .name("relay-lost-" + name)
                .start(() -> fail(lostBy(what + "; " + end.finish(process), cause)));
        return problem;
    }

    private static SandboxException lostBy(String what, @Nullable Throwable cause) {
        return new SandboxException(ErrorCode.SANDBOX_LOST, what + ". The next call starts a new one.", cause);
    }

    private void quieten() {
        if (!Thread.currentThread().equals(pinger)) {
            pinger.interrupt();
        }
    }

    private void fail(SandboxException problem) {
        jobs.values().forEach(job -> job.failed(problem));
        transfers.values().forEach(file -> file.failed("", problem));
    }

    /// Ends everything that runs there. May be called twice.
    @Override
    public void close() {
        SandboxException closed = lostBy("The sandbox was closed; what runs there is being ended", null);
        boolean orderly;
        synchronized (this) {
            orderly = lost == null;
            lost = orderly ? closed : lost;
        }
        if (orderly) {
            quieten();
            fail(closed);
        }
        link.close();
        connections.close();
        try {
            // The relay exits by itself when its channel ends, after its keepers have killed their
            // trees.
            if (process.waitFor(Duration.ofSeconds(8)).isEmpty()) {
                var _ = end.finish(process);
                process.kill();
            }
        } catch (InterruptedException e) {
            process.kill();
            Thread.currentThread().interrupt();
        }
        process.close();
    }
}
