package dev.talaria.backends.apptainer;

import dev.talaria.backends.options.Options;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// Warns when all sandboxes together use more of the disk than they should. Counting takes long, so
/// nobody waits for it: the last count is used, and renewed when it is old.
final class DiskWarning {
    private static final Duration KEPT = Duration.ofMinutes(5);
    private static final double GIGABYTE = 1L << 30;

    private OptionalLong counted = OptionalLong.empty(); // guarded by this
    private OptionalLong begun = OptionalLong.empty(); // guarded by this; by a clock that cannot be set

    /// Reads the limit.
    static double gigabytes(String option) {
        String text = option.strip();
        if (!text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
            throw Options.refuse(
                    "Option disk-warning of the backend apptainer is '" + text + "', not a number of gigabytes.");
        }
        return Double.parseDouble(text);
    }

    /// Returns the warning, if there is one. Starts a new count if the last one is old.
    synchronized Optional<String> remark(ApptainerFolders folders, double most) {
        boolean old = begun.isEmpty() || System.nanoTime() - begun.getAsLong() > KEPT.toNanos();
        if (old) {
            begun = OptionalLong.of(System.nanoTime());
            Thread.ofVirtual().name("disk-warning").start(() -> counted(folders.size()));
        }
        if (counted.isEmpty() || counted.getAsLong() <= most * GIGABYTE) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "Sandboxes take up %.1f GB in %s, more than %s GB. Remove those that are not needed.",
                counted.getAsLong() / GIGABYTE,
                folders.scratch(),
                String.valueOf(most).replaceFirst("\\.0$", "")));
    }

    private synchronized void counted(long bytes) {
        counted = OptionalLong.of(bytes);
    }
}
