package dev.talaria.engine.config;

/// What a session is told of its background processes without asking.
public enum NoticePolicy {
    /// Everything that was asked for when a process was started.
    ALL,
    /// The same as all, but of the ends of processes only failures.
    FAILURES,
    /// The same as all, but of the ends of processes only successes.
    SUCCESS,
    /// The same as all, but not the ends of processes.
    NONE,
    /// Nothing at all.
    OFF;

    /// Returns whether a session is told of the end of a process.
    public boolean tells(boolean success) {
        return switch (this) {
            case ALL -> true;
            case FAILURES -> !success;
            case SUCCESS -> success;
            case NONE, OFF -> false;
        };
    }
}
