package dev.talaria.engine.job.relay;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.Askpass;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.json.JsonFields;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/// A job that runs at the other end of the relay.
final class RelayJob implements Job {
    private static final int INPUT_WINDOW = 4 << 20;
    private static final int INPUT_PART = 1 << 17;
    private static final int MOST_QUESTIONS = 64;

    private final Relay relay;
    private final int id;
    private final OutputSink sink;
    private final Optional<Askpass> askpass;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private final CompletableFuture<OptionalLong> pid = new CompletableFuture<>();
    private volatile Optional<String> cwd = Optional.empty(); // written by the relay's reader thread, before the pid
    private final Semaphore questions = new Semaphore(MOST_QUESTIONS);
    private final Semaphore inputRoom = new Semaphore(INPUT_WINDOW);
    private final Map<Stream, Integer> consumed = new EnumMap<>(Stream.class); // used only by the relay's reader thread

    RelayJob(Relay relay, int id, OutputSink sink, JobSpec spec) {
        this.relay = relay;
        this.id = id;
        this.sink = sink;
        this.askpass = spec.askpass();
    }

    void output(Stream stream, ByteBuffer data) {
        int taken = consumed.getOrDefault(stream, 0) + data.remaining();
        sink.accept(stream, data);
        consumed.put(stream, relay.credit(id, stream == Stream.STDOUT ? FrameKind.STDOUT : FrameKind.STDERR, taken));
    }

    void written(int count) {
        inputRoom.release(Math.clamp(count, 0, INPUT_WINDOW));
    }

    void started(Map<String, Object> report) {
        cwd = JsonFields.text(report, "cwd");
        pid.complete(JsonFields.longNumber(report, "pid"));
    }

    /// Answers a sudo's question in a thread of its own: a person may be asked.
    void asked(Map<String, Object> question) {
        if (!questions.tryAcquire()) {
            throw new IllegalStateException("more than " + MOST_QUESTIONS + " questions at the same time");
        }
        long ask = JsonFields.longNumber(question, "ask").orElse(0);
        Askpass.Question asked = new Askpass.Question(
                JsonFields.longNumber(question, "sudo").orElse(0), JsonFields.isTrue(question, "ending"));
        Thread answering = Thread.ofVirtual().name("sudo-password").start(() -> {
            Map<String, Object> answer = switch (reply(asked)) {
                case Askpass.Reply.Password given -> Map.of("ask", ask, "password", given.password());
                case Askpass.Reply.Refused refused -> Map.of("ask", ask, "why", refused.why());
            };
            questions.release();
            relay.sendQuietly(FrameKind.PASSWORD, id, answer);
        });
        var _ = exit.whenComplete((_, _) -> answering.interrupt());
    }

    private Askpass.Reply reply(Askpass.Question question) {
        try {
            return askpass.isPresent()
                    ? askpass.get().ask(question)
                    : new Askpass.Reply.Refused("this command was not to use sudo.");
        } catch (InterruptedException e) {
            return new Askpass.Reply.Refused("the command has ended.");
        }
    }

    void ended(Map<String, Object> report) {
        over();
        exit.complete(Exit.of(report));
    }

    void failed(RuntimeException problem) {
        over();
        exit.completeExceptionally(problem);
    }

    private void over() {
        inputRoom.release(INPUT_WINDOW); // threads that write to a dead job go on
        pid.complete(OptionalLong.empty());
        sink.end();
    }

    @Override
    public CompletableFuture<Exit> exit() {
        return exit;
    }

    @Override
    public void kill(Duration grace) {
        relay.kill(id, grace);
    }

    @Override
    public void abandon() {
        relay.abandon(id);
    }

    @Override
    public void write(ByteBuffer data) {
        while (data.hasRemaining() && !exit.isDone()) {
            int size = Math.min(INPUT_PART, data.remaining());
            inputRoom.acquireUninterruptibly(size);
            relay.send(FrameKind.INPUT, id, data.slice(data.position(), size));
            data.position(data.position() + size);
        }
    }

    @Override
    public void endInput() {
        relay.send(FrameKind.INPUT_END, id, ByteBuffer.allocate(0));
    }

    @Override
    public boolean offer(ByteBuffer data) {
        if (!inputRoom.tryAcquire(data.remaining())) {
            return false;
        }
        if (!exit.isDone()) {
            relay.send(FrameKind.INPUT, id, data);
        }
        return true;
    }

    @Override
    public CompletableFuture<OptionalLong> pid() {
        return pid;
    }

    @Override
    public Optional<String> cwd() {
        return cwd;
    }

    @Override
    public void detach(Patience patience) {
        relay.apart(id, patience);
    }

    @Override
    public void resize(JobSpec.Screen screen) {
        relay.sendQuietly(FrameKind.RESIZE, id, Map.of("rows", screen.rows(), "columns", screen.columns()));
    }
}
