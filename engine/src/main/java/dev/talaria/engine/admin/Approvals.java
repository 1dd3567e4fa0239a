package dev.talaria.engine.admin;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/// What a person has allowed until it is taken back. Programs that run see a change at once.
public interface Approvals {

    /// Returns all, oldest first.
    ///
    /// @throws UncheckedIOException if they cannot be read; the message says what to do
    List<Approval> all();

    /// Takes back the approval with this id, or whose id begins so if there is only one.
    ///
    /// @return what was taken back
    Optional<Approval> revoke(String id);

    /// Takes all approvals back and returns how many there were. A file that cannot be read is replaced.
    int clear();
}
