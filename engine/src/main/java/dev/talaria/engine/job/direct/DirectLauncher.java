package dev.talaria.engine.job.direct;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;

/// Starts programs without a relay, for sandboxes that have no Python. A POSIX shell in the sandbox
/// runs the program, waits for its end and ends the processes that it left behind.
///
/// A program without input ends when this JVM ends in any way. A program with input sees the end of
/// its input.
///
/// Results report the limits: a process that has left its session, its parents and its environment is
/// not found ({@link Exit.Leftovers#wholeTree()} is false), an exit code from 129 to 192 counts as a signal,
/// and the number of processes cannot be limited.
public record DirectLauncher(Sandbox sandbox) implements Launcher {

    /// Starts a program.
    ///
    /// @throws IllegalArgumentException for a script: its tool calls need a transport
    @Override
    public Job start(JobSpec spec, OutputSink sink) {
        return switch (spec) {
            case JobSpec.Program program -> DirectJob.start(sandbox, program, sink);
            case JobSpec.Background(JobSpec.Program program, var screen, var _) -> {
                if (screen.isPresent()) {
                    throw new SandboxException(
                            ErrorCode.NOT_SUPPORTED,
                            "There is no Python in sandbox " + sandbox.name()
                                    + ", so there is no terminal for a process. Install python3 (3.8 or newer) there, or"
                                    + " start it without pty.");
                }
                yield DirectJob.start(sandbox, program, sink);
            }
            case JobSpec.Script _ ->
                throw new IllegalArgumentException("A script's tool calls need a transport; start it with that.");
        };
    }

    /// Starts a program that takes no input and has a folder in the sandbox.
    ///
    /// @param folder removed with the program's processes if this JVM dies; otherwise the caller
    ///     removes it
    public Job start(JobSpec.Program program, String folder, OutputSink sink) {
        return DirectJob.start(sandbox, program, sink, folder);
    }
}
