package dev.talaria.api;

/// What a sandbox keeps out. Declared by the backend and proved by a probe, never guessed.
public enum Isolation {
    /// Same user, same files, same processes: nothing.
    NONE,
    /// Kernel namespaces, such as bubblewrap's.
    NAMESPACE,
    /// A container engine's container.
    CONTAINER,
    /// A kernel of its own in user space (gVisor).
    KERNEL,
    /// Another machine.
    MACHINE
}
