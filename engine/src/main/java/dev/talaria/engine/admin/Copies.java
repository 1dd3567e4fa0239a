package dev.talaria.engine.admin;

import dev.talaria.api.Cancellation;
import dev.talaria.api.SandboxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/// Copies files and folders between this machine and a session's sandbox.
///
/// A copy that was cut goes on where it ended, at once where the sandbox can be reached again, or when it is asked for
/// again.
///
/// ```java
/// engine.copies().up("default", Path.of("data.csv"), "work/", CopyProgress.NONE, new Cancellation());
/// ```
public interface Copies {

    /// Copies a file or folder into the sandbox: under the name `to`, or into it if that is a folder or ends with `/`.
    ///
    /// @throws SandboxException if it could not; the message says why
    /// @throws CancellationException if the caller gave up
    CopyResult up(String session, Path from, String to, CopyProgress progress, Cancellation cancellation);

    /// Copies a file or folder out of the sandbox: under the name `to`, or into it if that is a folder. Nothing is
    /// written anywhere else, whatever the sandbox sends.
    ///
    /// @param mostBytes more than that is refused
    /// @throws SandboxException if it could not; the message says why
    /// @throws CancellationException if the caller gave up
    CopyResult down(
            String session, String from, Path to, long mostBytes, CopyProgress progress, Cancellation cancellation);

    /// Returns why what is copied there would be gone with the session's sandbox, and what to do; nothing if it stays.
    ///
    /// @throws SandboxException if there is no sandbox
    /// @throws CancellationException if the caller gave up
    Optional<String> fleeting(String session, String to, CopyProgress progress, Cancellation cancellation);
}
