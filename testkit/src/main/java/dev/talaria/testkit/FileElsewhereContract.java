package dev.talaria.testkit;

/// What differs where tool calls travel in files and each exchange is a command of its own elsewhere: the calls, and
/// what is left of a run. The rest is the same code as here, where {@link FileRunContract} runs whole.
public abstract class FileElsewhereContract extends PlaceContract implements ToolCallRuns, LeakRuns, FileRuns {}
