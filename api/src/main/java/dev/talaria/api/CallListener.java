package dev.talaria.api;

/// Hears what happens to calls. Called from the thread that made it happen: return quickly, throw nothing.
@FunctionalInterface
public interface CallListener {
    void on(CallEvent event);

    /// Returns whether a {@link CallEvent.Notice} reaches the session's reader through this listener. Where none does,
    /// the session's next result carries it.
    default boolean takesNotices(String session) {
        return false;
    }
}
