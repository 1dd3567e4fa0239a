package dev.talaria.testkit;

/// Tests what differs if tool calls travel in files and each exchange is a command of its own
/// elsewhere: the calls, and the leftovers of a run. The rest is the same code as on this machine,
/// where {@link FileRunContract} tests everything.
public abstract class FileElsewhereContract extends RunTargetContract implements ToolCallRuns, LeakRuns, FileRuns {}
