package dev.talaria.engine.tool.files;

import dev.talaria.engine.copy.FileCopy;
import dev.talaria.engine.copy.SandboxCopies;
import dev.talaria.engine.copy.ShellCopy;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.sandbox.SandboxLease;
import java.util.Arrays;
import java.util.Optional;

/// Reads files in a sandbox elsewhere. The relay reads small files in one round trip; larger files are copied.
/// Without Python the sandbox's shell reads them.
final class SandboxFiles {
    private static final int SMALL = 1 << 18;

    private SandboxFiles() {}

    /// Returns a whole file.
    ///
    /// @throws dev.talaria.api.SandboxException if the file has more than `limit` bytes
    static byte[] read(SandboxLease lease, String path, long limit, Patience patience) {
        SandboxLease ready = lease.withRelay(patience);
        Optional<Relay> relay = ready.relay();
        if (relay.isEmpty()) {
            return new ShellCopy(ready.sandbox(), patience).read(path, limit);
        }
        String absolute = SandboxCopies.absolute(relay.get(), path);
        byte[] start = relay.get().readFile(absolute, 0, SMALL, patience);
        if (start.length < SMALL) {
            return start;
        }
        byte[] rest = new FileCopy(relay.get(), patience).read(absolute, SMALL, limit);
        byte[] whole = Arrays.copyOf(start, SMALL + rest.length);
        System.arraycopy(rest, 0, whole, SMALL, rest.length);
        return whole;
    }
}
