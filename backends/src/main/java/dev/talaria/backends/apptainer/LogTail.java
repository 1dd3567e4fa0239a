package dev.talaria.backends.apptainer;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Reports the last line of a file that other programs write, each time it changes.
final class LogTail implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final int END = 2000;

    private final Thread thread;

    private LogTail(Thread thread) {
        this.thread = thread;
    }

    /// Follows a file, which need not exist yet, until the result is closed. Its present content is
    /// old.
    static LogTail of(Path file, Consumer<String> lines) {
        String old = last(file).orElse("");
        return new LogTail(Thread.ofVirtual().name("image-log").start(() -> follow(file, old, lines)));
    }

    private static void follow(Path file, String old, Consumer<String> lines) {
        String said = old;
        try {
            while (true) {
                Thread.sleep(EVERY);
                Optional<String> now = last(file);
                if (now.isPresent() && !now.get().equals(said)) {
                    said = now.get();
                    lines.accept(said);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<String> last(Path file) {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] end = new byte[(int) Math.min(END, log.length())];
            log.seek(log.length() - end.length);
            log.readFully(end);
            String text = new String(end, StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text.substring(text.lastIndexOf('\n') + 1));
        } catch (IOException e) {
            return Optional.empty(); // the file is being replaced
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
