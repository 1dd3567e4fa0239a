package dev.talaria.api;

/// How a sandbox is separated from this machine. A backend declares it and proves it with a probe.
public enum Isolation {
    /// The sandbox is not separated: same user, same files, same processes.
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
