package dev.talaria.engine.tool.files;

import dev.talaria.api.ToolContext;
import dev.talaria.engine.copy.SandboxCopies;
import dev.talaria.engine.gate.WriteTarget;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the file that a call will change, once for each call: the tool changes the file that the gate has judged.
public final class HeldFiles {
    private final Sandboxes sandboxes;
    private final HostFolders folders;

    public HeldFiles(Sandboxes sandboxes, HostFolders folders) {
        this.sandboxes = sandboxes;
        this.folders = folders;
    }

    /// Returns the file for the gate's decision.
    ///
    /// @throws dev.talaria.api.SandboxException if no such file is possible, or if no tool may touch it
    public WriteTarget target(ToolContext context, String path) {
        return of(context, path);
    }

    /// Returns the file at a path. It stays open until the call ends.
    HeldFile of(ToolContext context, String path) {
        return context.kept(HeldFile.class, () -> open(context, path));
    }

    private HeldFile open(ToolContext context, String path) {
        Patience patience = Patience.of(context);
        SandboxLease lease = sandboxes.enter(context.call().caller().session(), patience);
        context.ranIn(lease.sandbox().name());
        if (lease.sandbox().sharesHost()) {
            return here(lease, folders.absolute(lease, path), patience);
        }
        SandboxLease ready = lease.withRelay(patience);
        Optional<Relay> relay = ready.relay();
        return relay.isEmpty()
                ? ShellFile.open(ready.sandbox(), path, patience)
                : new RelayFile(relay.get().upload(SandboxCopies.absolute(relay.get(), path)), patience);
    }

    /// Opens a file of this machine. A shell holds it if folders are missing: Java cannot create them in an open
    /// folder.
    private HeldFile here(SandboxLease lease, Path wanted, Patience patience) {
        HostFile file = HostFile.open(wanted, folders);
        if (!file.lacksFolders()) {
            return file;
        }
        String path = file.path();
        file.close();
        ShellFile made = ShellFile.openFromRoot(lease.sandbox(), path, patience);
        try {
            folders.refuseOurs(Path.of(made.path()));
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }
}
