package dev.talaria.engine.job;

/// Starts everything that runs in a sandbox, by the relay or by direct exec.
public interface Launcher {

    /// Starts a job. Its output goes to `sink`, and ends before {@link Job#exit()} completes.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not be started
    Job start(JobSpec spec, OutputSink sink);
}
