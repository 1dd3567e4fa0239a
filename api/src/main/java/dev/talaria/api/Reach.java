package dev.talaria.api;

/// What a careless command can hurt from a sandbox. A rule counts where its damage can happen.
public enum Reach {
    /// The machine itself: its files, homes, services, disks and processes.
    HOST,
    /// The working folder, which is the user's own and not a copy.
    WORK,
    /// Other machines: what is pushed, sent or deleted there.
    OUTSIDE
}
