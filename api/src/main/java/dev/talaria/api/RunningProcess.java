package dev.talaria.api;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A started command. Its streams block: read them on platform threads, since a pipe read holds its carrier.
public interface RunningProcess extends AutoCloseable {

    /// Returns the command's standard input; closing it is a real end of input.
    OutputStream stdin();

    /// Returns what the process prints to its standard output.
    InputStream stdout();

    /// Returns what the process prints to its standard error.
    InputStream stderr();

    /// Returns the exit status, waiting at most `limit`; empty if it still runs. A signal n counts as 128 + n.
    Optional<Integer> waitFor(Duration limit) throws InterruptedException;

    /// Kills what can be reached of the command's tree from outside, at once.
    void kill();

    /// Kills it if it still runs and closes the streams. May be called twice.
    @Override
    void close();
}
