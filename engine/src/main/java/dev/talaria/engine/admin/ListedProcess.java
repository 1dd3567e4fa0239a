package dev.talaria.engine.admin;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// A background process of any Talaria of this user, as `talaria ps` shows it.
public interface ListedProcess {

    /// Returns the id that `talaria logs` and `kill` take.
    String id();

    /// Returns its command line, redacted.
    String command();

    /// Returns the folder that it was started in.
    Optional<String> cwd();

    /// Returns when it was started.
    Instant started();

    /// Returns its process id inside its sandbox; 0 if unknown.
    long pid();

    /// Returns the word for its state: `running`, `exited` or `lost`.
    String status();

    /// Returns its exit code as results show it; empty while it runs, or if unknown.
    Optional<Integer> exitCode();

    /// Returns the process id of the Talaria that it ends with; empty if it outlives Talaria.
    OptionalLong endsWith();

    /// Returns the last lines that it printed, cleaned and without secrets.
    ProcessLines lines(int last);

    /// Ends the process and all its children and waits for that.
    ///
    /// @return whether all have ended
    boolean kill();

    /// Connects to a process that outlives its Talaria; empty for others.
    ///
    /// @param output gets the raw output of the process from now on, for its owner's terminal
    default Optional<ProcessConnection> connect(Consumer<byte[]> output) {
        return Optional.empty();
    }

    /// Follows a process that outlives its Talaria; empty for others.
    ///
    /// @param last how many of the lines so far are passed on first
    /// @param line gets each line, cleaned
    default Optional<ProcessConnection> follow(int last, Consumer<String> line) {
        return Optional.empty();
    }
}
