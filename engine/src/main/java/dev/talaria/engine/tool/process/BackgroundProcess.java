package dev.talaria.engine.tool.process;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.reading.ShellContext;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec.Screen;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// One process in the background, from its start until the registry forgets it.
final class BackgroundProcess {
    /// The time between TERM and KILL for the process's tree.
    static final Duration GRACE = Duration.ofSeconds(2);

    /// The longest wait for the end of a process after a request to kill it.
    static final Duration KILL_TAKES = GRACE.plusSeconds(20);

    static final int LAST_WORDS = 2000;

    /// The facts about a process that its start fixes.
    ///
    /// @param command the command as written; it may contain secrets, so results show it redacted
    /// @param foundAgain whether the process survived an earlier Talaria and this one found it
    record Origin(
            String id,
            ToolCall call,
            String command,
            Optional<String> cwd,
            Instant started,
            BackgroundFlags flags,
            boolean foundAgain) {
        String session() {
            return call.caller().session();
        }
    }

    private final Origin origin;
    private final ProcessOutput output;
    private final Job job;
    private final NoticeState told;
    private final InputLine input;
    private final CompletableFuture<ProcessEnd> ended = new CompletableFuture<>();
    private final AtomicInteger missedMatches = new AtomicInteger();
    private volatile Optional<String> killedBy = Optional.empty(); // written once, by kill()
    private volatile boolean watchHit; // written by the thread that brings output
    private volatile boolean inputEnded; // written by endInput()
    private volatile boolean notifies; // written at the start, and when watching ends

    BackgroundProcess(Origin origin, ProcessOutput output, Job job, NoticeState told) {
        this.origin = origin;
        this.input = new InputLine(ShellContext.at(origin::cwd));
        this.output = output;
        this.job = job;
        this.told = told;
        this.notifies = origin.flags().tells() || told.watchOver();
        BiConsumer<Exit, Throwable> end =
                (exit, problem) -> end(problem == null ? endOf(exit) : failure(problem, Instant.now()));
        Executor where = job.exit().isDone()
                ? Runnable::run // nobody may see the process as running
                : work -> Thread.ofVirtual().name("process-end").start(work); // not on the output thread
        var _ = job.exit().whenCompleteAsync(end, where);
    }

    private ProcessEnd endOf(Exit exit) {
        ProcessEnd end = ProcessEnd.of(exit, job.endedAt());
        return killedBy.or(job::killedBy).map(end::killedBy).orElse(end);
    }

    private static ProcessEnd failure(Throwable problem, Instant at) {
        Throwable cause =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        String message = String.valueOf(cause.getMessage());
        return cause instanceof SandboxException known && known.code() == ErrorCode.SANDBOX_LOST
                ? ProcessEnd.lost(message, at)
                : ProcessEnd.failed(message, at);
    }

    private void end(ProcessEnd how) {
        output.close();
        ended.complete(how);
    }

    Origin origin() {
        return origin;
    }

    String id() {
        return origin.id();
    }

    NoticeState told() {
        return told;
    }

    /// Returns how many bytes the process has printed in all.
    long printed() {
        return output.position();
    }

    /// Returns the folder that the process began in, if it is known.
    Optional<String> cwd() {
        return job.cwd().or(origin::cwd);
    }

    /// Returns the end of the output, as a notice or a result about the process's end shows it.
    RollingOutput.Tail lastWords() {
        RollingOutput.Tail tail = output.recent().end(LAST_WORDS);
        return new RollingOutput.Tail(
                tail.text(), tail.cut() || output.position() > output.recent().total());
    }

    RollingOutput recent() {
        return output.recent();
    }

    ProcessLog log() {
        return output.log();
    }

    InputLine input() {
        return input;
    }

    boolean pty() {
        return origin.flags().pty();
    }

    OptionalLong pid() {
        return job.pid().state() == Future.State.SUCCESS ? job.pid().resultNow() : OptionalLong.empty();
    }

    /// Completes with the process id once the process runs; with empty if it never ran or its id is not known.
    CompletableFuture<OptionalLong> begun() {
        return job.pid();
    }

    CompletableFuture<ProcessEnd> ended() {
        return ended;
    }

    /// Returns how the process ended; empty while it runs.
    Optional<ProcessEnd> end() {
        return ended.state() == Future.State.SUCCESS ? Optional.of(ended.resultNow()) : Optional.empty();
    }

    boolean running() {
        return !ended.isDone();
    }

    Duration uptime() {
        Instant until = end().map(ProcessEnd::at).orElseGet(Instant::now);
        return Duration.between(origin.started(), until);
    }

    /// Asks the whole tree to end, and kills the processes that do not.
    void kill(String source) {
        synchronized (this) {
            killedBy = killedBy.or(() -> Optional.of(source));
        }
        job.kill(GRACE);
    }

    /// Gives up the connection to a process that goes on without this engine.
    void release() {
        job.release();
    }

    /// Writes to the process's input if there is room for it now. Returns whether there was.
    boolean write(byte[] data) {
        return job.offer(ByteBuffer.wrap(data));
    }

    /// Ends the process's input. A terminal only gets the sign for the end, and stays open.
    void endInput() {
        inputEnded = !pty();
        job.endInput();
    }

    boolean inputEnded() {
        return inputEnded;
    }

    void resize(Screen screen) {
        job.resize(screen);
    }

    /// Counts a match without a notice: all processes together had too many matches.
    void missedMatch() {
        missedMatches.incrementAndGet();
    }

    int missedMatches() {
        return missedMatches.get();
    }

    boolean watchHit() {
        return watchHit;
    }

    void hit() {
        watchHit = true;
    }

    boolean notifies() {
        return notifies;
    }

    void notifyAtEnd() {
        notifies = true;
    }
}
