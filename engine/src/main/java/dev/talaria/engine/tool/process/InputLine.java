package dev.talaria.engine.tool.process;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.TypedInput;
import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The text that was written to a process. The gate must see each line as a whole, however many writes make it up,
/// and together with the lines before it.
final class InputLine {
    /// The longest open line. It is longer than any gate reads: a longer line is refused, never cut.
    private static final int MOST_OPEN = 2 * Reading.LONGEST;

    private static final int MOST_LINES = 8_000;
    private static final int MOST_JUDGED = 100;

    // all guarded by this
    private final StringBuilder open = new StringBuilder(); // the text since the last line break
    private final StringBuilder lines = new StringBuilder(); // the ended lines, up to a limit
    private final Map<String, Long> judged = new LinkedHashMap<>(); // the state that the gate saw, by call
    private ShellContext before; // the state that older lines left
    private long version;

    InputLine(ShellContext before) {
        this.before = before;
    }

    /// Returns the process's earlier input together with this text, for the gate.
    synchronized TypedInput with(ToolCall call, String command, boolean terminal, String data) {
        judged.put(call.id(), version);
        if (judged.size() > MOST_JUDGED) {
            judged.remove(judged.keySet().iterator().next());
        }
        return new TypedInput(command, terminal, lines.toString(), open + data, before);
    }

    /// Writes the text, unless another write came after the gate's decision: the gate has not seen the two
    /// together.
    ///
    /// @return whether the process took the text; empty if the gate has to decide again
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

    /// Returns the end of the last whole line. A backslash before a line break continues the line.
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
