package dev.talaria.testkit;

/// The contract of background processes, wherever they run.
public abstract class ProcessRunContract extends RunTargetContract
        implements ProcessRuns, ProcessTerminalRuns, ProcessNoticeRuns {}
