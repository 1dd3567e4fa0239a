package dev.talaria.engine.admin;

import java.util.OptionalInt;

/// A connection to a process that outlives Talaria, for a person: shows what it prints, types into it.
public interface ProcessConnection extends AutoCloseable {

    /// Returns whether the process has a terminal.
    boolean pty();

    /// Types into the process.
    void type(byte[] data);

    /// Tells the process the size of the terminal that shows it.
    void resize(int rows, int columns);

    /// Runs this when the process has ended.
    void onEnd(Runnable action);

    /// Waits for the end of the process and returns its exit code as a shell would; empty if nobody knows it.
    OptionalInt await();

    /// Leaves; the process goes on.
    @Override
    void close();
}
