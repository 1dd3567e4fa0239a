package dev.talaria.engine.job;

/// The one process runner: everything that runs in a sandbox is started here, by the relay or by direct exec.
public interface Launcher {

    /// Starts a job; its output goes to `sink` until {@link Job#exit()} completes.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not be started
    Job start(JobSpec spec, OutputSink sink);
}
