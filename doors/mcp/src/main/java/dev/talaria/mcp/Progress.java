package dev.talaria.mcp;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.ToolCall;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Reports the progress of one call to the client: its output, its tool calls, and what it waits for.
///
/// The engine's threads only leave lines here. Another thread sends the latest lines, a few times a second at most,
/// so a client that reads slowly does not slow a script down.
final class Progress implements CallListener, AutoCloseable {
    static final Duration APART = Duration.ofMillis(200);
    private static final int MOST_LINES = 20;
    private static final int LONGEST_LINE = 500;

    private final Object token;
    private final ToolCall call;
    private final RunningCall running;
    private final Outbox outbox;
    private final Deque<String> lines = new ArrayDeque<>(); // guarded by this
    private long leftOut; // guarded by this
    private boolean closed; // guarded by this
    private final Object sending = new Object(); // held while a message is being sent

    private Progress(Object token, ToolCall call, RunningCall running, Outbox outbox) {
        this.token = token;
        this.call = call;
        this.running = running;
        this.outbox = outbox;
    }

    /// Starts to report the progress of `call` under the client's token, until it is closed.
    static Progress of(ToolCall call, Object token, RunningCall running, Outbox outbox) {
        Progress progress = new Progress(token, call, running, outbox);
        Thread.ofVirtual().name("mcp-progress").start(progress::send);
        return progress;
    }

    @Override
    public void on(CallEvent event) {
        boolean own = event.call().id().equals(call.id());
        boolean nested = event.call().parent().filter(call.id()::equals).isPresent();
        switch (event) {
            case CallEvent.Started(ToolCall started, var _) when nested -> add("calls " + started.tool());
            case CallEvent.Output(var _, var _, String text)
            when own -> text.lines().forEach(this::add);
            case CallEvent.Preparing(var _, Optional<String> what) when own -> what.ifPresent(this::add);
            case CallEvent.StillRunning(var _, Duration elapsed, String waitingFor)
            when own -> add("still running after " + elapsed.toSeconds() + " s, waits for " + waitingFor);
            case CallEvent.Started _,
                    CallEvent.Output _,
                    CallEvent.Preparing _,
                    CallEvent.StillRunning _,
                    CallEvent.Ended _,
                    CallEvent.Notice _ -> {}
        }
    }

    private synchronized void add(String line) {
        if (lines.size() == MOST_LINES) {
            lines.removeFirst();
            leftOut++;
        }
        lines.addLast(shortened(line));
        notifyAll();
    }

    private static String shortened(String line) {
        if (line.length() <= LONGEST_LINE) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(LONGEST_LINE - 1)) ? LONGEST_LINE - 1 : LONGEST_LINE;
        return line.substring(0, end) + " ...";
    }

    private void send() {
        try {
            for (long number = 1; awaitLines(); number++) {
                synchronized (sending) {
                    String message = takeLines();
                    if (message.isEmpty()) {
                        return;
                    }
                    outbox.send(new McpSchema.JSONRPCNotification(
                            McpSchema.METHOD_NOTIFICATION_PROGRESS,
                            new ProgressNotification(token, (double) number, null, message, null)));
                }
                rest();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for lines. Returns false if there will be no more.
    private synchronized boolean awaitLines() throws InterruptedException {
        while (lines.isEmpty() && !closed) {
            wait();
        }
        return !closed;
    }

    /// Returns the lines to send; empty if the call was closed or dropped meanwhile.
    private synchronized String takeLines() {
        if (closed || running.dropped()) {
            return "";
        }
        String text = (leftOut == 0 ? "" : "[" + leftOut + " lines left out]\n") + String.join("\n", lines);
        lines.clear();
        leftOut = 0;
        return text.isEmpty() ? " " : text;
    }

    private synchronized void rest() throws InterruptedException {
        long end = System.nanoTime() + APART.toNanos();
        for (long left = APART.toMillis(); !closed && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /// Returns after the last message was sent.
    @Override
    public void close() {
        synchronized (sending) { // waits for the message that is being sent
            end();
        }
    }

    private synchronized void end() {
        closed = true;
        notifyAll();
    }
}
