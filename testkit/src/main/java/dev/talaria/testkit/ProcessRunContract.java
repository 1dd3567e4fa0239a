package dev.talaria.testkit;

/// What a model can rely on that leaves processes running, wherever they run.
public abstract class ProcessRunContract extends PlaceContract
        implements ProcessRuns, ProcessTerminalRuns, ProcessNoticeRuns {}
