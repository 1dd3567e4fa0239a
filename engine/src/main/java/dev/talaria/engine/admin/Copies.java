package dev.talaria.engine.admin;

import dev.talaria.api.Cancellation;
import dev.talaria.api.SandboxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// Copies files and folders between this machine and a session's sandbox.
///
/// A copy that was interrupted goes on where it ended: at once if the sandbox can be reached again, otherwise when
/// the same copy is made again.
///
/// ```java
/// engine.copies().up("default", Path.of("data.csv"), "work/", CopyProgress.NONE, new Cancellation());
/// ```
public interface Copies {

    /// Copies a file or folder into the sandbox: under the name `to`, or into `to` if that is a folder or ends
    /// with `/`.
    ///
    /// @throws SandboxException if the copy failed; the message says why
    /// @throws CancellationException if the caller cancelled
    CopyResult up(String session, Path from, String to, CopyProgress progress, Cancellation cancellation);

    /// Copies a file or folder out of the sandbox: under the name `to`, or into `to` if that is a folder.
    /// Nothing is written anywhere else, whatever the sandbox sends.
    ///
    /// @param mostBytes the largest size of the copy; a larger one is refused
    /// @throws SandboxException if the copy failed; the message says why
    /// @throws CancellationException if the caller cancelled
    CopyResult down(
            String session, String from, Path to, long mostBytes, CopyProgress progress, Cancellation cancellation);

    /// Returns a sentence if a file at `to` would be gone when the session's sandbox is closed. The sentence
    /// says why, and what to do.
    ///
    /// @throws SandboxException if the sandbox cannot be opened
    /// @throws CancellationException if the caller cancelled
    Optional<String> fleeting(String session, String to, CopyProgress progress, Cancellation cancellation);
}
