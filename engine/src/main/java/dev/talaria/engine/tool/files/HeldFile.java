package dev.talaria.engine.tool.files;

import dev.talaria.engine.gate.WriteTarget;

/// A file that a tool is to change. Its folder is held open from the check of its path to the change, so whoever swaps
/// a link on the way there meanwhile has the change refused, and never gets it into another folder.
sealed interface HeldFile extends WriteTarget, AutoCloseable permits HostFile, RelayFile, ShellFile {

    /// Writes the whole file, making the folders that it needs, and returns its real path. Others see the old content
    /// or the new, never a part.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not
    String write(byte[] content);

    /// Lets go of it. May be called twice.
    @Override
    void close();
}
