package dev.talaria.engine.admin;

import java.util.OptionalInt;

/// A person's connection to a process that outlives Talaria. It shows the output and types into the process.
public interface ProcessConnection extends AutoCloseable {

    /// Returns whether the process has a terminal.
    boolean pty();

    /// Types into the process.
    void type(byte[] data);

    /// Tells the process the size of the terminal that shows it.
    void resize(int rows, int columns);

    /// Runs `action` when the process has ended.
    void onEnd(Runnable action);

    /// Waits for the end of the process and returns its exit code as a shell would; empty if unknown.
    OptionalInt await();

    /// Ends the connection. The process goes on.
    @Override
    void close();
}
