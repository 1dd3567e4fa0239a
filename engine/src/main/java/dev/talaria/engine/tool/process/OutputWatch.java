package dev.talaria.engine.tool.process;

import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SpillTarget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/// Looks for texts in a process's output and reports when one appears, but not too often: a process that prints
/// "ready" in every line causes few notices.
final class OutputWatch implements AutoCloseable {
    static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(15);
    static final int MOST_STRIKES = 3;
    static final int MOST_DELIVERIES = 8;
    private static final int MOST_LINES = 20;
    private static final int MOST_CHARS = 2000;

    /// Receives the matches.
    interface Listener {
        /// A text was found.
        ///
        /// @param suppressed the number of matching lines since the last report that were not reported
        /// @param position the bytes that the process has printed up to the last whole line that was searched
        void matched(String pattern, String lines, int suppressed, long position);

        /// There were too many matches: only the end is reported from now on.
        void disabled(int suppressed, String why);

        /// The process ended while it was watched.
        ///
        /// @param suppressed the number of matching lines since the last report that were not reported
        void over(int suppressed);
    }

    private record Hit(String pattern, String line) {}

    private final List<String> patterns;
    private final Listener listener;
    private final LongSupplier nanos;
    private final OutputCapture lines;
    private final long from;
    private final List<Hit> hits = new ArrayList<>(); // this and below: only the output thread
    private final int matchesBefore;
    private long delivered;
    private int deliveries;
    private int strikes;
    private int suppressed;
    private boolean struck;
    private volatile boolean over; // also set by close()

    /// @param told what was reported of this process before
    /// @param nanos the time, as `System.nanoTime`
    OutputWatch(
            List<String> patterns,
            NoticeState told,
            Redactor redactor,
            Redactor.Mode mode,
            LongSupplier nanos,
            Listener listener) {
        this.patterns = List.copyOf(patterns);
        this.listener = listener;
        this.nanos = nanos;
        this.from = told.watched();
        this.over = told.watchOver();
        this.matchesBefore = told.matches();
        this.lines = new OutputCapture(CaptureLimits.stdout(1000), redactor, mode, SpillTarget.NONE, this::line);
    }

    /// Takes all remaining bytes.
    ///
    /// @param position the bytes that the process has printed, including these
    void accept(ByteBuffer data, long position) {
        long known = from - (position - data.remaining());
        if (over || known >= data.remaining()) {
            return;
        }
        data.position(data.position() + (int) Math.max(0, known));
        int open = afterLastLine(data);
        lines.accept(data);
        if (!hits.isEmpty()) {
            tell(position - open);
            hits.clear();
        }
    }

    /// Returns the number of bytes after the last line break. They are searched with the rest of their line.
    private static int afterLastLine(ByteBuffer data) {
        int at = data.limit();
        while (at > data.position() && data.get(at - 1) != '\n') {
            at--;
        }
        return data.limit() - at;
    }

    private void line(String line) {
        if (hits.size() < MOST_LINES) {
            patterns.stream().filter(line::contains).findFirst().ifPresent(pattern -> hits.add(new Hit(pattern, line)));
        }
    }

    private void tell(long position) {
        long now = nanos.getAsLong();
        if (deliveries > 0 && now - delivered < SHORTEST_INTERVAL.toNanos()) {
            suppressed += hits.size();
            if (!struck && ++strikes >= MOST_STRIKES) {
                disable("It matched again and again within " + SHORTEST_INTERVAL.toSeconds() + " s.");
            }
            struck = true;
            return;
        }
        strikes = struck ? strikes : 0;
        struck = false;
        delivered = now;
        deliveries++;
        listener.matched(hits.getFirst().pattern(), text(), suppressed, position);
        suppressed = 0;
        if (matchesBefore + deliveries >= MOST_DELIVERIES) {
            disable("It has matched " + MOST_DELIVERIES + " times.");
        }
    }

    private void disable(String why) {
        over = true;
        listener.disabled(suppressed, why + " Watching has ended; you are told when the process ends.");
    }

    private String text() {
        String text = String.join("\n", hits.stream().map(Hit::line).toList());
        return text.substring(0, Math.min(MOST_CHARS, text.length()));
    }

    /// Ends the watch. Later output matches nothing.
    @Override
    public void close() {
        if (!over) {
            over = true;
            listener.over(suppressed);
        }
        lines.close();
    }
}
