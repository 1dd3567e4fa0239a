package dev.talaria.api;

/// What a careless command in a sandbox can damage. A rule counts only where its damage can happen.
public enum ReachableArea {
    /// The machine itself: its files, homes, services, disks and processes.
    HOST,
    /// The working folder, if it is the user's own and not a copy.
    WORK,
    /// Other machines: a command can push, send or delete there.
    OUTSIDE
}
