package dev.talaria.engine.copies;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Tells how a folder's way into a sandbox goes on, a few times a second at most.
final class Sending {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final double MEGABYTE = 1e6;

    private final Path folder;
    private final long total;
    private final Consumer<String> progress;
    private long next = System.nanoTime() + EVERY.toNanos();

    Sending(Path folder, List<Tree.Item> items, Consumer<String> progress) {
        this.folder = folder;
        this.total = items.stream().mapToLong(item -> item.entry().size()).sum();
        this.progress = progress;
    }

    void moved(long done) {
        long now = System.nanoTime();
        if (now >= next) {
            next = now + EVERY.toNanos();
            progress.accept(String.format(
                    Locale.ROOT, "sending %s: %.1f of %.1f MB", folder, done / MEGABYTE, total / MEGABYTE));
        }
    }
}
