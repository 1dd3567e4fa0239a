package dev.talaria.engine.copies;

/// Hears how a copy goes on. Called often, by any thread.
@FunctionalInterface
public interface Progress {
    /// Nobody watches.
    Progress NONE = (_, _) -> {};

    /// Says how far it is.
    ///
    /// @param done bytes that are through
    /// @param total of how many; -1 if nobody knows
    void moved(long done, long total);
}
