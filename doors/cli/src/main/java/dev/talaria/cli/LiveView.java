package dev.talaria.cli;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Shows a call while it runs: its output line by line and, on a terminal, one line with the elapsed time and the
/// tools that it waits for. That line is erased before other output.
final class LiveView implements CallListener, Terminal.Screen, AutoCloseable {
    private static final Duration FIRST = Duration.ofMillis(700);
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final int MOST_KEPT = 10_000;
    private static final String DIM = "\033[2m";
    private static final String PLAIN = "\033[0m";

    private final Console console;
    private final boolean showOutput;
    private final long began = System.nanoTime();
    private final Map<String, String> nested = new ConcurrentSkipListMap<>(); // tools by the ids of their calls
    private volatile Optional<String> preparing = Optional.empty(); // written by the engine's threads
    private final ProgressLine line; // guarded by this
    private boolean over; // guarded by this
    private boolean held; // guarded by this; a question has the terminal
    private final List<CallEvent.Output> kept = new ArrayList<>(); // guarded by this; output that arrived meanwhile
    private @Nullable Thread ticker; // set by begin(), before close()

    LiveView(Console console, boolean showOutput) {
        this.console = console;
        this.line = new ProgressLine(console);
        this.showOutput = showOutput;
    }

    /// Starts the progress line, if there is a terminal.
    void begin() {
        if (console.draws()) {
            ticker = Thread.ofVirtual().name("progress").start(this::tick);
        }
    }

    @Override
    public void on(CallEvent event) {
        switch (event) {
            case CallEvent.Output output -> show(output);
            case CallEvent.Started started ->
                started.call()
                        .parent()
                        .ifPresent(_ ->
                                nested.put(started.call().id(), started.call().tool()));
            case CallEvent.Preparing now -> preparing = now.what();
            case CallEvent.Ended ended -> nested.remove(ended.call().id());
            case CallEvent.Notice _ -> {} // the next result contains it
            case CallEvent.StillRunning _ -> {} // the progress line shows it more often
        }
    }

    private synchronized void show(CallEvent.Output output) {
        if (!showOutput || output.call().parent().isPresent()) {
            return;
        }
        if (held && kept.size() < MOST_KEPT) {
            kept.add(output);
        } else {
            print(output);
        }
    }

    private void print(CallEvent.Output output) {
        line.erase();
        switch (output.stream()) {
            case STDOUT -> console.print(output.text() + "\n");
            case STDERR -> console.printErr(output.text() + "\n"); // clean, like all output
        }
    }

    @Override
    public synchronized ScreenHold hold() {
        line.erase();
        held = true;
        return this::release;
    }

    private synchronized void release() {
        held = false;
        kept.forEach(this::print);
        kept.clear();
    }

    private void tick() {
        try {
            Thread.sleep(FIRST);
            while (true) {
                draw();
                Thread.sleep(EVERY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void draw() {
        if (over || held) {
            return;
        }
        String text = (System.nanoTime() - began) / 1_000_000_000 + " s, waiting for " + waitingFor();
        line.draw(console.colours() ? DIM + text + PLAIN : text);
    }

    private String waitingFor() {
        Optional<String> ready = preparing;
        if (ready.isPresent()) {
            return ready.get();
        }
        String tools = nested.values().stream().distinct().sorted().collect(Collectors.joining(", "));
        return tools.isEmpty() ? "the script" : tools;
    }

    /// Erases the progress line before other output.
    synchronized void erase() {
        line.erase();
    }

    @Override
    public synchronized void close() {
        over = true;
        line.erase();
        if (ticker != null) {
            ticker.interrupt();
        }
    }
}
