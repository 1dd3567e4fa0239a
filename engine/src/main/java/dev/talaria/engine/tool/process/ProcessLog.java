package dev.talaria.engine.tool.process;

import dev.talaria.engine.admin.ProcessLines;
import dev.talaria.engine.output.Excerpt;
import dev.talaria.engine.output.LastBytes;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.shell.CommandMasking;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the log of a process, whoever writes it. Each of its two files begins with the number of bytes printed
/// before it and the number of its first line: lines keep their numbers when the oldest are dropped.
///
/// @param file the younger of the two files
public record ProcessLog(Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLog.class);

    /// The bytes before and after the wanted lines that are read with them: a key block is recognised as a
    /// whole.
    private static final int AROUND = 1 << 14;

    /// The largest part of a log that is shown at once.
    private static final int MOST = 1 << 20;

    private static final int HEAD = 40;

    static Path older(Path file) {
        return file.resolveSibling(file.getFileName() + ".old");
    }

    static byte[] head(long position, long line) {
        return "%019d %019d\n".formatted(position, line).getBytes(StandardCharsets.US_ASCII);
    }

    /// Lines of a log, cleaned.
    ///
    /// @param first the number of the first line, from 0
    /// @param total the number of lines that the process has printed in all
    /// @param dropped the number of lines that are gone: the oldest
    public record Page(List<String> lines, long first, long total, long dropped) {
        public Page {
            lines = List.copyOf(lines);
        }
    }

    /// Returns at most `limit` lines from line `offset` on.
    public Page page(long offset, int limit, Redactor redactor, Redactor.Mode mode) {
        return page(_ -> offset, limit, redactor, mode);
    }

    /// Returns the last lines, at most `limit`.
    public Page lastPage(int limit, Redactor redactor, Redactor.Mode mode) {
        return page(total -> total - limit, limit, redactor, mode);
    }

    private Page page(LongUnaryOperator start, int limit, Redactor redactor, Redactor.Mode mode) {
        try {
            Count count = count();
            long total = count.total;
            long first = Math.clamp(start.applyAsLong(total), count.dropped, total);
            long last = Math.min(total, first + limit);
            Piece piece = piece(first, last);
            long begin = Math.max(first, piece.line); // older lines may have been dropped just now
            return new Page(read(piece, begin, last, redactor, mode), begin, total, count.dropped);
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
            return new Page(List.of(), 0, 0, 0);
        }
    }

    /// Returns the last lines of a command's output, for people.
    ProcessLines last(int lines, String command) {
        Page page = lastPage(lines, Redactor.on(), CommandMasking.of(command));
        return new ProcessLines(page.lines(), page.total());
    }

    /// @param position the number of bytes before it
    /// @param line the number of its first line
    private record Content(InputStream in, long position, long line) {
        static final Content NOTHING = new Content(InputStream.nullInputStream(), 0, 0);
    }

    private Content open() throws IOException {
        Optional<Content> younger = open(file); // opened first, so that no rotation is missed
        Optional<Content> older = open(older(file));
        if (younger.isEmpty() || older.isEmpty()) {
            return younger.or(() -> older).orElse(Content.NOTHING);
        }
        Content first = older.get();
        Content second = younger.get();
        if (first.position < second.position) {
            return new Content(new SequenceInputStream(first.in, second.in), first.position, first.line);
        }
        first.in.close(); // both are the same file
        return second;
    }

    private static Optional<Content> open(Path path) throws IOException {
        try {
            InputStream in = Files.newInputStream(path);
            String head = new String(in.readNBytes(HEAD), StandardCharsets.US_ASCII);
            if (head.length() == HEAD) {
                return Optional.of(
                        new Content(in, Long.parseLong(head.substring(0, 19)), Long.parseLong(head.substring(20, 39))));
            }
            in.close(); // the file is still empty
        } catch (NoSuchFileException e) {
            LOG.trace("There is no {}", path);
        }
        return Optional.empty();
    }

    /// @param dropped the number of lines that are gone
    private record Count(long total, long dropped) {}

    /// Returns the number of lines. A line that has not ended counts.
    private Count count() throws IOException {
        byte last = '\n';
        byte[] buffer = new byte[1 << 16];
        Content content = open();
        long lines = content.line;
        try (InputStream in = content.in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                    }
                }
                last = count > 0 ? buffer[count - 1] : last;
            }
        }
        return new Count(last == '\n' ? lines : lines + 1, content.line);
    }

    private static List<String> read(Piece piece, long first, long last, Redactor redactor, Redactor.Mode mode) {
        String text = Excerpt.of(piece.bytes, false, redactor, mode);
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        int from = (int) Math.min(lines.size(), first - piece.line);
        int to = (int) Math.min(lines.size(), last - piece.line);
        return lines.subList(from, Math.max(from, to));
    }

    /// @param line the number of its first line
    private record Piece(byte[] bytes, long line) {}

    /// Returns the wanted lines and some around them, from the start of a line.
    private Piece piece(long first, long last) throws IOException {
        LastBytes before = new LastBytes(AROUND);
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        Content content = open();
        long line = content.line;
        int after = 0;
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = content.in) {
            for (int count = in.read(buffer); count >= 0 && after < AROUND; count = in.read(buffer)) {
                int i = 0;
                for (; i < count && line < first; i++) {
                    line += buffer[i] == '\n' ? 1 : 0;
                }
                before.accept(ByteBuffer.wrap(buffer, 0, i));
                for (; i < count && after < AROUND; i++) {
                    if (wanted.size() < MOST + AROUND) {
                        wanted.write(buffer[i]);
                    }
                    after += line >= last ? 1 : 0;
                    line += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        byte[] context = fromALine(before);
        byte[] all = Arrays.copyOf(context, context.length + wanted.size());
        System.arraycopy(wanted.toByteArray(), 0, all, context.length, wanted.size());
        long contextLines = 0;
        for (byte b : context) {
            contextLines += b == '\n' ? 1 : 0;
        }
        return new Piece(all, Math.max(content.line, Math.min(first, line) - contextLines));
    }

    /// Returns the bytes before the wanted lines, from the start of a line.
    private static byte[] fromALine(LastBytes before) {
        byte[] bytes = before.last(AROUND);
        if (before.total() == bytes.length) {
            return bytes;
        }
        int start = 0;
        while (start < bytes.length && bytes[start] != '\n') {
            start++;
        }
        return Arrays.copyOfRange(bytes, Math.min(bytes.length, start + 1), bytes.length);
    }

    /// Returns the last bytes, raw.
    byte[] last(int most) {
        LastBytes recent = new LastBytes(most);
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = open().in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                recent.accept(ByteBuffer.wrap(buffer, 0, count));
            }
        } catch (IOException e) {
            LOG.debug("Cannot read {}", file, e);
        }
        return recent.last(most);
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
