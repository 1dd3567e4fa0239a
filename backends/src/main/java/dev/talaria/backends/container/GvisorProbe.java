package dev.talaria.backends.container;

import dev.talaria.api.Isolation;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.process.Client;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Finds out whether a container has gVisor's kernel and not the host's. A runtime can have any name,
/// so its name is only a claim; the kernel inside is the proof.
final class GvisorProbe {
    private static final Pattern CLAIM = Pattern.compile("(?i)(.*[^a-z])?(runsc|gvisor)([^a-z].*)?");

    /// The first line of gVisor's log, and the version that it has reported since it was first
    /// published.
    private static final Pattern PROOF =
            Pattern.compile("(?i)\\bgvisor\\b|Linux version 4\\.4\\.0 #1 SMP Sun Jan 10 15:06:54 PST 2016");

    private static final List<List<String>> QUESTIONS = List.of(List.of("dmesg"), List.of("cat", "/proc/version"));

    private GvisorProbe() {}

    /// Returns what the container keeps out.
    ///
    /// @param container its name, for the message
    /// @param runtime the name of its runtime, from the engine
    /// @param inside runs a command in the container and returns its output, if it ended with 0
    /// @throws SandboxException if the runtime should be gVisor's and the kernel is not
    static Isolation isolation(String container, String runtime, Function<List<String>, Optional<String>> inside) {
        if (!CLAIM.matcher(runtime).matches()) {
            return Isolation.CONTAINER;
        }
        boolean proved = QUESTIONS.stream()
                .anyMatch(question -> inside.apply(question)
                        .filter(answer -> PROOF.matcher(answer).find())
                        .isPresent());
        if (!proved) {
            throw Client.unavailable("The container " + container + " was made with the runtime " + runtime
                    + ", but its kernel does not say that it is gVisor. Check that runtime in the engine's"
                    + " configuration, or make the container with another one.");
        }
        return Isolation.KERNEL;
    }
}
