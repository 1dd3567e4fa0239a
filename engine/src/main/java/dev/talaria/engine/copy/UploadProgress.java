package dev.talaria.engine.copy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Reports the progress of a folder's upload, a few times a second at most.
final class UploadProgress {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final double MEGABYTE = 1e6;

    private final Path folder;
    private final long total;
    private final Consumer<String> progress;
    private long next = System.nanoTime() + EVERY.toNanos();

    UploadProgress(Path folder, List<FolderTree.Item> items, Consumer<String> progress) {
        this.folder = folder;
        this.total = items.stream().mapToLong(item -> item.entry().size()).sum();
        this.progress = progress;
        say(0);
    }

    void moved(long done) {
        long now = System.nanoTime();
        if (now >= next) {
            next = now + EVERY.toNanos();
            say(done);
        }
    }

    private void say(long done) {
        progress.accept(String.format(
                Locale.ROOT, "the folder %s: %.1f of %.1f MB are sent", folder, done / MEGABYTE, total / MEGABYTE));
    }
}
