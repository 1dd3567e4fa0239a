package dev.talaria.testkit;

/// What a model can rely on when it runs commands, wherever that is. Every backend inherits it; real processes only.
public abstract class TerminalContract extends PlaceContract
        implements ShellRuns, FolderRuns, VariableRuns, TerminalRuns, WriteRuns {}
