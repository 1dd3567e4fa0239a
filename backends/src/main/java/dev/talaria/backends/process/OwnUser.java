package dev.talaria.backends.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Whom this program runs as. The owner of `/proc/self` does not tell: that is root where a program is not dumpable.
public final class OwnUser {
    private static final Path STATUS = Path.of("/proc/self/status");

    private OwnUser() {}

    public static int uid() throws IOException {
        return id("Uid:");
    }

    public static int gid() throws IOException {
        return id("Gid:");
    }

    private static int id(String name) throws IOException {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> Integer.valueOf(line.split("\\s+", 3)[1]))
                    .findFirst()
                    .orElseThrow(() -> new IOException("There is no " + name + " in " + STATUS));
        } catch (UncheckedIOException e) {
            throw new IOException(e);
        }
    }
}
