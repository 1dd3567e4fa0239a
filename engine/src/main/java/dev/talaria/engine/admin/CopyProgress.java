package dev.talaria.engine.admin;

/// Receives the progress of a copy. Any thread may call it, and often.
@FunctionalInterface
public interface CopyProgress {
    /// Ignores the progress.
    CopyProgress NONE = (_, _) -> {};

    /// Receives how much is copied.
    ///
    /// @param done the bytes that are copied
    /// @param total the bytes of the whole copy; -1 if unknown
    void moved(long done, long total);

    /// Receives a line about the preparation of the sandbox, which may take a while.
    default void preparing(String what) {}

    /// Learns that the sandbox is ready, after {@link #preparing} was called.
    default void prepared() {}
}
