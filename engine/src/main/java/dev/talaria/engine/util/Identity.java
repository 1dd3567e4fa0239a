package dev.talaria.engine.util;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A process of this machine. Its start time tells it from later processes with the same id.
///
/// @param pid the process id
/// @param start the start time of the process, in clock ticks since the boot
public record Identity(long pid, long start) {

    public static final Identity NOBODY = new Identity(0, 0);

    public static Identity ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        return new Identity(pid, start(pid).orElse(0L));
    }

    public static Optional<Identity> of(Map<?, ?> fields, String pid, String start) {
        return fields.get(pid) instanceof Number number && fields.get(start) instanceof Number ticks
                ? Optional.of(new Identity(number.longValue(), ticks.longValue()))
                : Optional.empty();
    }

    public boolean alive() {
        return start(pid).filter(ticks -> ticks == start).isPresent();
    }

    /// Returns the start time of a process; empty if it is dead. A zombie counts as dead.
    private static Optional<Long> start(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 21);
            return fields[0].equals("Z") || fields[0].equals("X")
                    ? Optional.empty()
                    : Optional.of(Long.valueOf(fields[19]));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
