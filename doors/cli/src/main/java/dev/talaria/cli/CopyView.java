package dev.talaria.cli;

import dev.talaria.api.DisplayText;
import dev.talaria.engine.admin.CopyProgress;
import java.time.Duration;
import java.util.Locale;

/// Shows how a copy goes on, in one line, where there is a terminal for it.
final class CopyView implements CopyProgress, AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(200);
    private static final String ERASE = "\r\033[K";
    // Without line wrap, whatever the width of the window: a line of two rows could not be erased.
    private static final String NO_WRAP = "\033[?7l";
    private static final String WRAP = "\033[?7h";

    private final Console console;
    private final long began = System.nanoTime();
    private long drawn = began; // guarded by this, and so is what follows
    private long first = -1;
    private boolean shown;
    private boolean over;

    CopyView(Console console) {
        this.console = console;
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
        shown = true;
        double seconds = Math.max(0.001, (now - began) / 1e9);
        String much = total > 0
                ? String.format(Locale.ROOT, "%3d %%  %s of %s", done * 100 / total, size(done), size(total))
                : size(done);
        console.err().print(ERASE + NO_WRAP + much + "  " + size((long) ((done - first) / seconds)) + "/s" + WRAP);
        console.err().flush();
    }

    @Override
    public synchronized void preparing(String what) {
        if (!over && console.draws()) {
            shown = true;
            console.err().print(ERASE + NO_WRAP + "waiting for " + DisplayText.name(what) + WRAP);
            console.err().flush();
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
        if (shown) {
            console.err().print(ERASE);
            console.err().flush();
            shown = false;
        }
    }

    @Override
    public synchronized void close() {
        over = true;
        erase();
    }
}
