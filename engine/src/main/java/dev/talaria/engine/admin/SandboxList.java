package dev.talaria.engine.admin;

import dev.talaria.api.SandboxException;
import dev.talaria.api.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The sandboxes of every Talaria of this user.
public interface SandboxList {

    /// Returns all that are on record, oldest first.
    List<ListedSandbox> all();

    /// Asks all sandboxes at once what they take up, and none for longer than a limit.
    ///
    /// @return the answers by id; unknown for a sandbox that did not answer in time
    Map<String, Usage> usages(Duration limit);

    /// Removes a sandbox, whoever has it, with what runs there.
    ///
    /// @throws SandboxException if it may still be there
    void remove(ListedSandbox sandbox);

    /// Removes what killed Talarias left. What cannot be reached now stays on record for the next time.
    PruneResult prune();
}
