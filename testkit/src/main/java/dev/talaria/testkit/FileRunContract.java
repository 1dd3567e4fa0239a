package dev.talaria.testkit;

/// The contract of runs whose tool calls travel in files.
public abstract class FileRunContract extends RunContract implements FileRuns {}
