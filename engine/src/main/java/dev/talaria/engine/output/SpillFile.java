package dev.talaria.engine.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes one spill file.
final class SpillFile implements SpillTarget.Sink {

    private static final int PIECE = 1 << 16;
    private static final OpenOption[] EXISTING_FILE = {StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS};

    private final Spills spills;
    private final Path file;
    private final long most;
    private @Nullable OutputStream out;
    private @Nullable String problem;
    private long written;
    private long refused;
    private SpillTarget.@Nullable Result result;

    /// Writes to an existing, empty file.
    SpillFile(Spills spills, Path file, long most) {
        this.spills = spills;
        this.file = file;
        this.most = most;
        try {
            // a stream, not a channel: an interrupt would close the channel under us
            out = Files.newOutputStream(file, EXISTING_FILE);
        } catch (IOException e) {
            problem = reason(e);
        }
    }

    @Override
    public void write(ByteBuffer bytes) {
        try {
            var stream = out;
            while (stream != null && out != null && bytes.hasRemaining() && written < most) {
                writePiece(stream, bytes);
            }
        } catch (IOException e) {
            stop(reason(e));
        }
        refused += bytes.remaining();
        bytes.position(bytes.limit());
    }

    private void writePiece(OutputStream stream, ByteBuffer bytes) throws IOException {
        int count = (int) Math.min(PIECE, Math.min(bytes.remaining(), most - written));
        if (!spills.reserve(count)) {
            stop("the spill folder is full");
            return;
        }
        if (bytes.hasArray()) {
            stream.write(bytes.array(), bytes.arrayOffset() + bytes.position(), count);
        } else {
            byte[] piece = new byte[count];
            bytes.get(bytes.position(), piece);
            stream.write(piece);
        }
        bytes.position(bytes.position() + count);
        written += count;
    }

    private void stop(String why) {
        problem = why;
        closeStream();
    }

    private void closeStream() {
        var stream = out;
        out = null;
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException e) {
                problem = reason(e);
            }
        }
    }

    @Override
    public SpillTarget.Result finish() {
        var done = result;
        if (done == null) {
            closeStream();
            done = new SpillTarget.Result(savedFile(), note());
            result = done;
        }
        return done;
    }

    /// Returns the problem that ended the writing early.
    Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private Optional<Path> savedFile() {
        if (written == 0) {
            spills.discard(file);
            return Optional.empty();
        }
        spills.released(file);
        return Optional.of(file);
    }

    private Optional<String> note() {
        if (written == 0 && problem != null) {
            return Optional.of(unsaved(problem));
        }
        if (refused == 0) {
            return Optional.empty();
        }
        String why = problem == null ? "" : ": " + problem;
        return Optional.of(String.format(
                Locale.ROOT, "The file holds the first %,d bytes; %,d more were not saved%s.", written, refused, why));
    }

    static String unsaved(String problem) {
        return "The full output could not be saved: " + problem + ".";
    }

    static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
