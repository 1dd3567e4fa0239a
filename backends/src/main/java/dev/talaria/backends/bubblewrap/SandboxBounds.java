package dev.talaria.backends.bubblewrap;

import dev.talaria.backends.options.Options;
import java.util.OptionalLong;

/// The limits of a sandbox on this machine.
///
/// @param memory bytes: of all its processes together if we may use the kernel's control groups, else
///     of each
/// @param processes the largest number of processes at a time
/// @param fileBytes the largest size of a file
record SandboxBounds(OptionalLong memory, OptionalLong processes, OptionalLong fileBytes) {
    private static final long GIGABYTE = 1L << 30;
    private static final int FEWEST = 16;

    static SandboxBounds of(Options options) {
        return new SandboxBounds(
                size(options, "memory", 5 * GIGABYTE), processes(options), size(options, "file-size", 10 * GIGABYTE));
    }

    private static OptionalLong size(Options options, String name, long standard) {
        return unlimited(options, name)
                ? OptionalLong.empty()
                : OptionalLong.of(options.bytes(name).orElse(standard));
    }

    private static OptionalLong processes(Options options) {
        if (unlimited(options, "pids")) {
            return OptionalLong.empty();
        }
        int most = options.count("pids", "processes").orElse(512);
        if (most < FEWEST) {
            throw options.wrong("pids", "'" + most + "' is too little for anything to run. Write at least " + FEWEST);
        }
        return OptionalLong.of(most);
    }

    private static boolean unlimited(Options options, String name) {
        return options.find(name)
                .filter(text -> text.strip().equalsIgnoreCase("unlimited"))
                .isPresent();
    }
}
