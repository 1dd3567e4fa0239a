package dev.talaria.engine.config;

/// What a session is told of its background processes without asking.
public enum NoticePolicy {
    /// Everything that was asked for when a process was started.
    ALL,
    /// As all, but only those ends that are failures.
    FAILURES,
    /// As all, but only those ends that are no failures.
    SUCCESS,
    /// As all, but no ends.
    NONE,
    /// Nothing at all.
    OFF;

    /// Returns whether the end of a process is told.
    public boolean tells(boolean success) {
        return switch (this) {
            case ALL -> true;
            case FAILURES -> !success;
            case SUCCESS -> success;
            case NONE, OFF -> false;
        };
    }
}
