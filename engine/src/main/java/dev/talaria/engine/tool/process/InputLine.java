package dev.talaria.engine.tool.process;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.TypedInput;
import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What was written to a process: a gate has to see a line as a whole, however many writes it comes in, and after the
/// lines before it.
final class InputLine {
    /// More than any gate reads: what is longer is refused, never cut.
    private static final int MOST_OPEN = 2 * Reading.LONGEST;

    private static final int MOST_LINES = 8_000;
    private static final int MOST_JUDGED = 100;

    // all guarded by this
    private final StringBuilder open = new StringBuilder(); // not ended by a line break yet
    private final StringBuilder lines = new StringBuilder(); // those that were, up to a bound
    private final Map<String, Long> judged = new LinkedHashMap<>(); // what a call was judged on
    private ShellContext before; // what older lines have left
    private long version;

    InputLine(ShellContext before) {
        this.before = before;
    }

    /// Returns what the process would have before it with this written, too.
    synchronized TypedInput with(ToolCall call, String command, boolean terminal, String data) {
        judged.put(call.id(), version);
        if (judged.size() > MOST_JUDGED) {
            judged.remove(judged.keySet().iterator().next());
        }
        return new TypedInput(command, terminal, lines.toString(), open + data, before);
    }

    /// Writes and notes it, unless something else was written since this call was judged: who knows what the two would
    /// be together.
    ///
    /// @return whether it was; empty if it has to be judged again
    synchronized Optional<Boolean> write(ToolCall call, String data, BooleanSupplier write) {
        Long then = judged.remove(call.id());
        if (then != null && then != version) {
            return Optional.empty();
        }
        boolean written = write.getAsBoolean();
        if (written) {
            wrote(data);
        }
        return Optional.of(written);
    }

    private void wrote(String data) {
        version++;
        open.append(data);
        int end = lastLineEnd();
        if (end >= 0) {
            lines.append(open, 0, end + 1);
            open.delete(0, end + 1);
        }
        open.setLength(Math.min(open.length(), MOST_OPEN));
        if (lines.length() > MOST_LINES) {
            before = Reading.of(lines.toString(), before).after();
            lines.setLength(0);
        }
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
