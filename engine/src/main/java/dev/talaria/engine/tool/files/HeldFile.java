package dev.talaria.engine.tool.files;

import dev.talaria.engine.gate.WriteTarget;

/// A file that a tool will change. Its folder stays open from the check of its path to the change. If somebody
/// swaps a link of the path meanwhile, the change is refused and never reaches another folder.
sealed interface HeldFile extends WriteTarget, AutoCloseable permits HostFile, RelayFile, ShellFile {

    /// Writes the whole file, creates missing folders, and returns the real path. Readers see the old content or
    /// the new content, never a part.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not be written
    String write(byte[] content);

    /// Closes the folder. A second call does nothing.
    @Override
    void close();
}
