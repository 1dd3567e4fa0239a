package dev.talaria.api;

/// An area that a command in a sandbox can damage. A rule of the gate counts where its damage can happen.
public enum ReachableArea {
    /// The machine itself: its files, homes, services, disks and processes.
    HOST,
    /// The working folder, which is the user's own and not a copy.
    WORK,
    /// Other machines: what is pushed, sent or deleted there.
    OUTSIDE
}
