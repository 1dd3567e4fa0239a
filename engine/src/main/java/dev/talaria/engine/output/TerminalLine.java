package dev.talaria.engine.output;

import java.util.Arrays;

/// One line of a terminal: cells with a cursor, one code point per cell.
///
/// Sequences can move the cursor at most [#FARTHEST] cells beyond the printed text, so that a few
/// hostile bytes cannot make a large line.
final class TerminalLine {

    private static final int FARTHEST = 512;

    private int[] cells = new int[256];
    private int length;
    private int column;

    void put(int codePoint) {
        if (column >= cells.length) {
            cells = Arrays.copyOf(cells, Math.max(column + 1, cells.length * 2));
        }
        if (column > length) {
            Arrays.fill(cells, length, column, ' ');
        }
        cells[column++] = codePoint;
        length = Math.max(length, column);
    }

    void put(String text, int from, int to) {
        for (int i = from; i < to; ) {
            int codePoint = text.codePointAt(i);
            put(codePoint);
            i += Character.charCount(codePoint);
        }
    }

    void moveTo(int target) {
        column = Math.clamp(target, 0, FARTHEST);
    }

    void back(int count) {
        column = Math.max(0, column - count);
    }

    void forward(int count) {
        column = Math.max(column, Math.min(column + Math.min(count, FARTHEST), FARTHEST));
    }

    /// Erases as CSI K does: 0 from the cursor on, 1 up to the cursor, 2 the whole line.
    void erase(int mode) {
        if (mode == 0) {
            length = Math.min(length, column);
        } else if (mode == 2 || column >= length) {
            length = 0;
            column = Math.min(column, FARTHEST);
        } else if (mode == 1 && column <= FARTHEST) {
            Arrays.fill(cells, 0, column + 1, ' ');
        }
    }

    /// Appends the line to `out` and starts an empty one.
    void flush(StringBuilder out) {
        for (int i = 0; i < length; i++) {
            out.appendCodePoint(cells[i]);
        }
        length = 0;
        column = 0;
    }
}
