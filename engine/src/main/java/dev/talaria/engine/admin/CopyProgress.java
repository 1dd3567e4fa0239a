package dev.talaria.engine.admin;

/// Hears how a copy goes on. Called often, by any thread.
@FunctionalInterface
public interface CopyProgress {
    /// Nobody watches.
    CopyProgress NONE = (_, _) -> {};

    /// Says how far it is.
    ///
    /// @param done bytes that are through
    /// @param total of how many; -1 if nobody knows
    void moved(long done, long total);

    /// Says how the sandbox is got ready, which may take a while.
    default void preparing(String what) {}

    /// Says that the sandbox is ready, if anything was said before.
    default void prepared() {}
}
