package dev.talaria.engine.config;

/// A limit that a call may move, up to what the operator allows.
///
/// @param standard counts for calls that ask for nothing
/// @param ceiling the most a call can get
public record Limit<T extends Comparable<T>>(T standard, T ceiling) {
    public Limit {
        if (standard.compareTo(ceiling) > 0) {
            throw new IllegalArgumentException("The limit " + standard + " is above its ceiling " + ceiling
                    + ". Lower the limit or raise the ceiling.");
        }
    }

    /// Returns what a call gets that asked for `asked`: that much, but never more than the ceiling.
    public T allowed(T asked) {
        return asked.compareTo(ceiling) > 0 ? ceiling : asked;
    }
}
