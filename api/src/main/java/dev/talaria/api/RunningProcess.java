package dev.talaria.api;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A command that was started in a sandbox. Its streams block; read them on platform threads, since reading a pipe
/// blocks the carrier of a virtual thread.
///
/// ```java
/// Process process = new ProcessBuilder("uname", "-a").start();
/// RunningProcess running = new RunningProcess() {
///     @Override
///     public OutputStream stdin() {
///         return process.getOutputStream();
///     }
///
///     @Override
///     public InputStream stdout() {
///         return process.getInputStream();
///     }
///
///     @Override
///     public InputStream stderr() {
///         return process.getErrorStream();
///     }
///
///     @Override
///     public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
///         return process.waitFor(limit) ? Optional.of(process.exitValue()) : Optional.empty();
///     }
///
///     @Override
///     public void kill() {
///         process.descendants().forEach(ProcessHandle::destroyForcibly);
///         process.destroyForcibly();
///     }
///
///     @Override
///     public void close() {
///         kill();
///         for (Closeable stream : List.of(stdin(), stdout(), stderr())) {
///             try {
///                 stream.close();
///             } catch (IOException e) {
///                 // The process is dead, so nobody needs the stream.
///             }
///         }
///     }
/// };
/// ```
public interface RunningProcess extends AutoCloseable {

    /// Returns the command's standard input. Closing it ends the input.
    OutputStream stdin();

    /// Returns the command's standard output.
    InputStream stdout();

    /// Returns the command's standard error.
    InputStream stderr();

    /// Waits at most `limit` and returns the exit status; empty if the command still runs. A command that
    /// signal n has ended has the status 128 + n.
    Optional<Integer> waitFor(Duration limit) throws InterruptedException;

    /// Kills the command and those of its child processes that can be reached from outside, at once.
    void kill();

    /// Kills the command if it still runs, and closes the streams. A second call does nothing.
    @Override
    void close();
}
