package dev.talaria.engine.shell;

import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.sandbox.SandboxLease;
import java.util.Optional;

/// A command that is ready to start in its session's sandbox.
///
/// @param lease the sandbox
/// @param program the shell that runs the command
/// @param launcher starts the program
/// @param failure why the session's shell could not be restored, if it could not
public record ReadyCommand(
        SandboxLease lease, JobSpec.Program program, Launcher launcher, Optional<Snapshots.Failure> failure) {

    /// Returns whether a relay runs the command. Without one it runs by direct exec.
    public boolean hasRelay() {
        return lease.relay().isPresent();
    }
}
