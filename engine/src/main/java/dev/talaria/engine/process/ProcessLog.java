package dev.talaria.engine.process;

import dev.talaria.engine.clean.Excerpt;
import dev.talaria.engine.clean.Redactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the log of a process, whoever writes it.
///
/// @param file the younger of its two files
public record ProcessLog(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLog.class);

    /// What stands before and after the wanted lines is read with them: a key block is recognised as a whole.
    private static final int AROUND = 1 << 14;

    /// The most of a log that is shown at once.
    private static final int MOST = 1 << 20;

    static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".old");
    }

    /// Lines of a log, cleaned.
    ///
    /// @param first number of the first of them, from 0
    /// @param total how many lines there are in all
    public record Page(List<String> lines, long first, long total) {
        public Page {
            lines = List.copyOf(lines);
        }
    }

    /// Returns at most `limit` lines from line `offset` on; the last ones if there is no offset.
    public Page page(OptionalLong offset, int limit, Redactor redactor, Redactor.Mode mode) {
        try {
            long total = count();
            long first = Math.min(total, offset.orElse(Math.max(0, total - limit)));
            long last = Math.min(total, first + limit);
            return new Page(read(first, last, redactor, mode), first, total);
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
            return new Page(List.of(), 0, 0);
        }
    }

    private InputStream open() throws IOException {
        Path older = older(file);
        InputStream first = Files.exists(older) ? Files.newInputStream(older) : InputStream.nullInputStream();
        InputStream second = Files.exists(file) ? Files.newInputStream(file) : InputStream.nullInputStream();
        return new SequenceInputStream(first, second);
    }

    /// Returns the number of lines; one that has not ended yet counts.
    private long count() throws IOException {
        long lines = 0;
        byte last = '\n';
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = open()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                    }
                }
                last = count > 0 ? buffer[count - 1] : last;
            }
        }
        return last == '\n' ? lines : lines + 1;
    }

    private List<String> read(long first, long last, Redactor redactor, Redactor.Mode mode) throws IOException {
        Piece piece = piece(first, last);
        String text = Excerpt.of(piece.bytes, false, redactor, mode);
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        int from = (int) Math.min(lines.size(), first - piece.line);
        int to = (int) Math.min(lines.size(), last - piece.line);
        return lines.subList(from, to);
    }

    /// @param line number of its first line
    private record Piece(byte[] bytes, long line) {}

    /// Returns the wanted lines and some around them, from a line's start.
    private Piece piece(long first, long last) throws IOException {
        Recent before = new Recent(AROUND);
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        long line = 0;
        int after = 0;
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = open()) {
            for (int count = in.read(buffer); count >= 0 && after < AROUND; count = in.read(buffer)) {
                for (int i = 0; i < count && after < AROUND; i++) {
                    if (line < first) {
                        before.add(buffer[i]);
                    } else if (wanted.size() < MOST + AROUND) {
                        wanted.write(buffer[i]);
                    }
                    after += line >= last ? 1 : 0;
                    line += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        byte[] context = before.fromALine();
        byte[] all = Arrays.copyOf(context, context.length + wanted.size());
        System.arraycopy(wanted.toByteArray(), 0, all, context.length, wanted.size());
        long contextLines = 0;
        for (byte b : context) {
            contextLines += b == '\n' ? 1 : 0;
        }
        return new Piece(all, Math.min(first, line) - contextLines);
    }

    /// The last bytes that came by.
    private static final class Recent {
        private final byte[] ring;
        private long total;

        Recent(int size) {
            this.ring = new byte[size];
        }

        void add(byte b) {
            ring[(int) (total++ % ring.length)] = b;
        }

        byte[] bytes() {
            int count = (int) Math.min(total, ring.length);
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = ring[(int) ((total - count + i) % ring.length)];
            }
            return bytes;
        }

        /// Returns them from the first line's start on.
        byte[] fromALine() {
            byte[] bytes = bytes();
            int start = 0;
            while (total > ring.length && start < bytes.length && bytes[start] != '\n') {
                start++;
            }
            return Arrays.copyOfRange(bytes, Math.min(bytes.length, total > ring.length ? start + 1 : 0), bytes.length);
        }
    }

    /// Returns the last bytes, raw.
    byte[] last(int most) {
        Recent recent = new Recent(most);
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = open()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    recent.add(buffer[i]);
                }
            }
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
        }
        return recent.bytes();
    }

    /// Removes both files.
    void delete() {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(older(file));
        } catch (IOException e) {
            LOG.debug("Cannot remove {}", file, e);
        }
    }
}
