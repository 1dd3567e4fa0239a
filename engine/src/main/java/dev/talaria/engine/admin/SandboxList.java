package dev.talaria.engine.admin;

import dev.talaria.api.SandboxException;
import dev.talaria.api.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The sandboxes of every Talaria of this user.
public interface SandboxList {

    /// Returns all sandboxes on record, oldest first.
    List<ListedSandbox> all();

    /// Asks all sandboxes at once for the memory and disk space they use.
    ///
    /// @param limit how long to wait for answers
    /// @return the answers by id; unknown for a sandbox that did not answer in time
    Map<String, Usage> usages(Duration limit);

    /// Removes a sandbox with everything that runs in it, whichever Talaria has it.
    ///
    /// @throws SandboxException if the sandbox may still exist
    void remove(ListedSandbox sandbox);

    /// Removes the sandboxes of killed Talarias. A sandbox that cannot be reached now stays on record for the
    /// next time.
    PruneResult prune();
}
