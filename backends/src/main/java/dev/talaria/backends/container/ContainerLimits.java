package dev.talaria.backends.container;

import dev.talaria.backends.options.Options;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a container may use.
///
/// @param memory bytes, swap included
/// @param cpus such as `1` or `0.5`
/// @param pids processes and threads at one time
/// @param shm bytes of `/dev/shm`
/// @param disk bytes it may write, where that was asked for
/// @param workspace size of a working folder that is memory
record ContainerLimits(long memory, String cpus, int pids, long shm, Optional<Long> disk, long workspace) {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([bkmgt])b?");
    private static final long GIGABYTE = 1L << 30;
    private static final long MOST_SCRATCH = 10 * GIGABYTE;

    static ContainerLimits of(Options options) {
        Optional<Long> disk = options.find("disk").map(text -> bytes(options, "disk", text));
        String cpus = options.find("cpus").orElse("1");
        if (!cpus.matches("\\d{1,4}(\\.\\d{1,3})?") || Double.parseDouble(cpus) <= 0) {
            throw options.wrong("cpus", "'" + cpus + "' is no number such as 2 or 0.5");
        }
        String pids = options.find("pids").orElse("512");
        if (!pids.matches("[1-9]\\d{0,6}")) {
            throw options.wrong("pids", "'" + pids + "' is no number of processes");
        }
        return new ContainerLimits(
                options.find("memory")
                        .map(text -> bytes(options, "memory", text))
                        .orElse(5 * GIGABYTE),
                cpus,
                Integer.parseInt(pids),
                options.find("shm-size")
                        .map(text -> bytes(options, "shm-size", text))
                        .orElse(GIGABYTE),
                disk,
                Math.min(MOST_SCRATCH, disk.orElse(MOST_SCRATCH)));
    }

    private static long bytes(Options options, String name, String text) {
        Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw options.wrong(name, "'" + text + "' is no size such as 512m or 5g");
        }
        return Long.parseLong(matcher.group(1)) << (10 * "bkmgt".indexOf(matcher.group(2)));
    }

    /// Returns the client's arguments for what some engines cannot do.
    List<String> arguments() {
        return List.of(
                "--memory", memory + "b", "--memory-swap", memory + "b", "--cpus", cpus, "--pids-limit", "" + pids);
    }

    long nanoCpus() {
        return Math.round(Double.parseDouble(cpus) * 1e9);
    }
}
