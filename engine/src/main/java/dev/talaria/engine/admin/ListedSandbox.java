package dev.talaria.engine.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// A sandbox of any Talaria of this user, as `talaria sandboxes` shows it.
public interface ListedSandbox {

    /// Returns the id that `talaria sandboxes rm` takes.
    String id();

    /// Returns the session whose sandbox this is.
    String session();

    /// Returns the name of the backend that opened it.
    String backend();

    /// Returns its name in messages; empty until it is open.
    Optional<String> name();

    /// Returns the word for its isolation; empty until it is open.
    Optional<String> isolation();

    /// Returns when its opening began.
    Instant created();

    /// Returns the process id of the Talaria that has it open; empty if that one has ended.
    OptionalLong talaria();

    /// Returns the ids of the processes in it that outlive their Talaria.
    List<String> processes();

    /// Returns whether its Talaria has ended and no process in it lives on.
    boolean abandoned();
}
