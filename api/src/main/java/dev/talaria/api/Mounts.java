package dev.talaria.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The mount points in a folder at this moment, as Linux lists them. The device number alone does not tell a mount
/// point: a bind mount from the same device has the same number.
///
/// @param folder the folder, under the name that the caller uses
/// @param points the mount points, as paths below the folder
record Mounts(Path folder, Set<Path> points) {
    private static final Path LIST = Path.of("/proc/self/mountinfo");
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");
    private static final int POINT = 4; // the field

    static Mounts below(Path folder) throws IOException {
        Path parent = folder.getParent();
        Path name = folder.getFileName();
        if (parent == null || name == null || !Files.isReadable(LIST)) {
            return new Mounts(folder, Set.of()); // another system
        }
        Path real = parent.toRealPath().resolve(name);
        return new Mounts(
                folder,
                new String(Files.readAllBytes(LIST), StandardCharsets.UTF_8)
                        .lines()
                        .flatMap(line -> point(line).stream())
                        .filter(point -> point.startsWith(real))
                        .map(real::relativize)
                        .collect(Collectors.toSet()));
    }

    private static Optional<Path> point(String line) {
        String[] fields = line.split(" ", POINT + 2);
        if (fields.length <= POINT) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(plain(fields[POINT])));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /// Replaces the octal escapes of blanks and other special characters.
    private static String plain(String written) {
        return ESCAPED.matcher(written)
                .replaceAll(
                        found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }

    /// Returns whether something is mounted at a path in the folder, or at the folder itself.
    boolean has(Path path) {
        return points.contains(folder.relativize(path));
    }

    /// Returns the number of the device that a file is on, as text.
    static String device(PosixFileAttributes file) {
        String key = String.valueOf(file.fileKey()); // (dev=fe00,ino=12)
        int end = key.indexOf(",ino=");
        return end < 0 ? "" : key.substring(0, end);
    }
}
