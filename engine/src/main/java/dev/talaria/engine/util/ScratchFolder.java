package dev.talaria.engine.util;

import dev.talaria.api.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes folders with short paths for sockets, which only their owner can enter. Each start removes the folders of
/// killed engines.
public final class ScratchFolder {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);
    private static final String PREFIX = "talaria-host-";
    private static final Path SHORT = Path.of("/tmp");

    /// The longest path of a folder. A socket's path can have 107 bytes.
    private static final int LONGEST = 50;

    private ScratchFolder() {}

    public static LiveFolder create() {
        return create(base());
    }

    private static Path base() {
        Path base = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        return base.toString().length() > LONGEST || !Files.isWritable(base) ? SHORT : base;
    }

    static LiveFolder create(Path base) {
        sweep(base).forEach(left -> LOG.info("{}", left));
        try {
            return LiveFolder.create(base, PREFIX);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot make a folder in " + base + " (" + Reason.of(e)
                            + "). Set TMPDIR to one that is writable and has room.",
                    e);
        }
    }

    /// Makes another folder of the same kind with a path of a few letters.
    public static LiveFolder another() throws IOException {
        return LiveFolder.create(SHORT, PREFIX);
    }

    /// Removes the folders of killed engines, as each start does.
    ///
    /// @return a sentence for each file or folder with such a name that was left alone
    public static List<String> sweep() {
        return sweep(base());
    }

    private static List<String> sweep(Path base) {
        return Stream.of(base, SHORT)
                .distinct()
                .flatMap(folder -> LiveFolder.sweep(folder, PREFIX).stream())
                .toList();
    }
}
