package dev.talaria.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.stream.Stream;

/// The user that this program runs as. The owner of `/proc/self` is not always this user: it is root if the program
/// is not dumpable.
public final class OwnUser {
    private static final Path STATUS = Path.of("/proc/self/status");

    private OwnUser() {}

    /// Returns the user id of this process.
    public static int uid() throws IOException {
        return id("Uid:");
    }

    /// Returns the group id of this process.
    public static int gid() throws IOException {
        return id("Gid:");
    }

    private static int id(String name) throws IOException {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> Integer.valueOf(line.split("\\s+", 4)[2])) // the effective one, as for files
                    .findFirst()
                    .orElseThrow(() -> new IOException("There is no " + name + " in " + STATUS));
        } catch (UncheckedIOException e) {
            throw new IOException(e);
        }
    }

    /// Returns the user as an owner of files, for comparison with other owners.
    public static UserPrincipal principal() throws IOException {
        return FileSystems.getDefault()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(String.valueOf(uid())); // a number that is no name counts as itself
    }
}
