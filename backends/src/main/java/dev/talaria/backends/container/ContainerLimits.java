package dev.talaria.backends.container;

import dev.talaria.backends.options.Options;
import java.util.List;
import java.util.OptionalLong;

/// The limits of a container.
///
/// @param memory bytes, including swap
/// @param cpus a number such as `1` or `0.5`
/// @param pids processes and threads at one time
/// @param shm bytes of `/dev/shm`
/// @param disk bytes that it may write, if that was asked for
/// @param workspace the size of a working folder in memory
/// @param ulimits limits of each process, such as `nofile=1024:1024`
record ContainerLimits(
        long memory, String cpus, int pids, long shm, OptionalLong disk, long workspace, List<String> ulimits) {
    private static final long GIGABYTE = 1L << 30;
    private static final long MOST_SCRATCH = 10 * GIGABYTE;

    static ContainerLimits of(Options options) {
        OptionalLong disk = options.bytes("disk");
        return new ContainerLimits(
                options.bytes("memory").orElse(5 * GIGABYTE),
                options.decimal("cpus").orElse("1"),
                options.count("pids", "processes").orElse(512),
                options.bytes("shm-size").orElse(GIGABYTE),
                disk,
                Math.min(MOST_SCRATCH, disk.orElse(MOST_SCRATCH)),
                ulimits(options));
    }

    private static List<String> ulimits(Options options) {
        List<String> all = options.list("ulimits");
        for (String one : all) {
            if (!one.matches("[a-z]+=-?\\d+(:-?\\d+)?")) {
                throw options.wrong("ulimits", "'" + one + "' is not of the form nofile=1024:1024");
            }
        }
        return all;
    }

    /// Returns the client's arguments for limits that some engines cannot enforce.
    List<String> arguments() {
        return List.of(
                "--memory", memory + "b", "--memory-swap", memory + "b", "--cpus", cpus, "--pids-limit", "" + pids);
    }

    long nanoCpus() {
        return Math.round(Double.parseDouble(cpus) * 1e9);
    }
}
