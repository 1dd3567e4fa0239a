package dev.talaria.engine.process;

/// What was written to a process and not ended by a line break yet: a gate has to see a line as a whole, however many
/// writes it comes in.
final class InputLine {
    private static final int MOST = 1 << 16;

    private final StringBuilder open = new StringBuilder(); // guarded by this

    /// Returns what the process would have before it with this written, too.
    synchronized String with(String data) {
        return open + data;
    }

    /// Notes what was written.
    synchronized void wrote(String data) {
        open.append(data);
        int end = lastLineEnd();
        if (end >= 0) {
            open.delete(0, end + 1);
        }
        open.delete(0, Math.max(0, open.length() - MOST));
    }

    /// A backslash before the line's end continues it.
    private int lastLineEnd() {
        for (int i = open.length() - 1; i >= 0; i--) {
            char c = open.charAt(i);
            if (c == 0x03 || ((c == '\n' || c == '\r') && (i == 0 || open.charAt(i - 1) != '\\'))) {
                return i;
            }
        }
        return -1;
    }
}
