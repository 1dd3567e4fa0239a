package dev.talaria.cli;

import dev.talaria.api.DisplayText;
import dev.talaria.engine.admin.CopyProgress;
import java.time.Duration;
import java.util.Locale;

/// Shows the progress of a copy in one line of the terminal.
final class CopyView implements CopyProgress, AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(200);

    private final Console console;
    private final long began = System.nanoTime();
    private long drawn = began; // this and below: guarded by this
    private long first = -1;
    private final ProgressLine line;
    private boolean over;

    CopyView(Console console) {
        this.console = console;
        this.line = new ProgressLine(console);
    }

    @Override
    public synchronized void moved(long done, long total) {
        if (first < 0) {
            first = done;
        }
        long now = System.nanoTime();
        if (over || !console.draws() || now - drawn < EVERY.toNanos()) {
            return;
        }
        drawn = now;
        double seconds = Math.max(0.001, (now - began) / 1e9);
        String much = total > 0
                ? String.format(Locale.ROOT, "%3d %%  %s of %s", done * 100 / total, size(done), size(total))
                : size(done);
        line.draw(much + "  " + size((long) ((done - first) / seconds)) + "/s");
    }

    @Override
    public synchronized void preparing(String what) {
        if (!over && console.draws()) {
            line.draw("waiting for " + DisplayText.name(what));
        }
    }

    static String size(long bytes) {
        if (bytes < 1000) {
            return bytes + " B";
        }
        double value = bytes;
        String units = "kMGTP";
        int unit = -1;
        while (value >= 1000 && unit < units.length() - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 ? "%.1f %sB" : "%.0f %sB", value, units.charAt(unit));
    }

    synchronized void erase() {
        line.erase();
    }

    @Override
    public synchronized void close() {
        over = true;
        erase();
    }
}
