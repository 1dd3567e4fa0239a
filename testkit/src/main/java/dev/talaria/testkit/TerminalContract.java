package dev.talaria.testkit;

/// The contract of commands, wherever they run. Every backend inherits it. It uses real processes
/// only.
public abstract class TerminalContract extends RunTargetContract
        implements ShellRuns, FolderRuns, VariableRuns, TerminalRuns, WriteRuns {}
