package dev.talaria.testkit;

/// The contract of scripts, wherever they run and however their tool calls travel. Every backend and
/// transport inherits one of its two kinds, {@link SocketRunContract} or {@link FileRunContract},
/// with a class of ten lines. It uses real processes only.
public abstract class RunContract extends RunTargetContract
        implements BasicRuns,
                PythonRuns,
                EnvironmentRuns,
                ToolCallRuns,
                OutputRuns,
                LimitRuns,
                HintRuns,
                TreeRuns,
                HostileRuns,
                LeakRuns {}
