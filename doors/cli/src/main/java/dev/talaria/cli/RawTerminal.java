package dev.talaria.cli;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.Signals;

/// The terminal while every key goes to a process: without echo and without signals. Closing restores it. The JDK
/// cannot do this; `stty` can.
final class RawTerminal implements AutoCloseable {
    private static final String RESIZED = "WINCH";
    private static final Pattern SIZE = Pattern.compile("([0-9]+) ([0-9]+)");

    private final Runnable restore;

    private RawTerminal(Runnable restore) {
        this.restore = restore;
    }

    /// Receives the size of the window, now and after each change.
    @FunctionalInterface
    interface Window {
        void is(int rows, int columns);
    }

    /// Returns a terminal that stays as it is.
    static RawTerminal none() {
        return new RawTerminal(() -> {});
    }

    static RawTerminal open(Window window) throws IOException {
        String before = Terminal.stty("-g").orElse("");
        tell(window);
        Object previous = Signals.register(RESIZED, () -> tellQuietly(window));
        var _ = Terminal.stty("raw", "-echo");
        return new RawTerminal(() -> {
            Signals.unregister(RESIZED, previous);
            try {
                var _ = Terminal.stty(before);
            } catch (IOException e) {
                // The terminal is gone, and there is nothing to restore.
            }
        });
    }

    private static void tellQuietly(Window window) {
        try {
            tell(window);
        } catch (IOException e) {
            // The terminal is gone; the next read reports it.
        }
    }

    private static void tell(Window window) throws IOException {
        Matcher size = SIZE.matcher(Terminal.stty("size").orElse(""));
        if (size.matches() && !size.group(1).equals("0")) {
            window.is(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
        }
    }

    @Override
    public void close() {
        restore.run();
    }
}
