package dev.talaria.testkit;

/// What a model's script can rely on, wherever it runs and however its tool calls travel. Every backend and transport
/// inherits one of its two kinds, {@link SocketRunContract} or {@link FileRunContract}, with a class of ten lines. Real
/// processes only.
public abstract class RunContract extends PlaceContract
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
