package dev.talaria.engine.admin;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/// The approvals that count until somebody revokes them. A change counts at once, also for engines that run.
public interface Approvals {

    /// Returns all approvals, oldest first.
    ///
    /// @throws UncheckedIOException if the approvals cannot be read; the message says what to do
    List<Approval> all();

    /// Revokes the approval with this id. The beginning of an id is enough if only one approval has it.
    ///
    /// @return the revoked approval; empty if there is none
    Optional<Approval> revoke(String id);

    /// Revokes all approvals and returns how many there were. A file that cannot be read is replaced.
    int clear();
}
