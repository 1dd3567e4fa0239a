package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.output.CleanText;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A command in the foreground that becomes a background process if it does not end in time. Until then it belongs
/// to its session's shell; afterwards its changes no longer reach that shell.
public final class HandOver implements OutputSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int OUTPUT_CHARS = 50_000;

    private final ProcessRegistry registry;
    private final BackgroundProcess.Origin origin;
    private final ProcessOutput output;
    private OutputSink foreground; // guarded by this
    private boolean taken; // the calling thread only

    HandOver(ProcessRegistry registry, ToolContext context, String command, OutputSink foreground) {
        this.registry = registry;
        this.origin = new BackgroundProcess.Origin(
                ProcessRegistry.freshId(),
                context.call(),
                command,
                Optional.empty(),
                Instant.now(),
                BackgroundFlags.of(Map.of("notify", true)).under(registry.policy()),
                false);
        this.output = registry.output(origin.id(), command);
        this.foreground = foreground;
    }

    @Override
    public synchronized void accept(Stream stream, ByteBuffer data) {
        foreground.accept(stream, data.duplicate());
        output.accept(stream, data);
    }

    /// Makes a background process of a job at its timeout. Empty if the job has ended, or there is no room for
    /// it.
    public Optional<ToolResult> take(Job job, Duration timeout) {
        try {
            job.detach(new Patience(Deadline.after(ANSWER), new Cancellation()));
            if (job.exit().isDone()) {
                return Optional.empty();
            }
            BackgroundProcess process = registry.take(origin, output, job);
            taken = true;
            process.endInput();
            synchronized (this) {
                foreground = (_, _) -> {};
            }
            return Optional.of(result(process, timeout));
        } catch (SandboxException | GaveUpException e) {
            LOG.debug("Process {} is ended instead of being kept", origin.id(), e);
            return Optional.empty();
        }
    }

    private static ToolResult result(BackgroundProcess process, Duration timeout) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", new CleanText(process.recent().tail(OUTPUT_CHARS).stripTrailing()));
        value.put("exit_code", null);
        value.put("error", null);
        value.put("status", "yielded_to_background");
        value.put("session_id", process.id());
        process.pid().ifPresent(pid -> value.put("pid", pid));
        BackgroundFlags flags = process.origin().flags();
        if (flags.tells()) {
            value.put("notify_on_complete", true);
        }
        value.putAll(flags.notes());
        value.put(
                "note",
                "After " + timeout.toSeconds()
                        + " s the command still runs; it goes on in the background, where it changes neither the"
                        + " session's folder nor its variables" + (flags.tells() ? ", and its end is told" : "")
                        + ". Do not run it again: process(action=\"wait\") waits for it.");
        return new ToolResult.Backgrounded(process.id(), value);
    }

    /// Drops the log of a command that did not become a process.
    @Override
    public void close() {
        if (!taken) {
            output.drop();
        }
    }
}
