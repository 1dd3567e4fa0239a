package dev.talaria.api;

/// Hears what happens to calls. Called from the thread that made it happen: return quickly, throw nothing.
///
/// ```java
/// CallListener progress = event -> {
///     if (event instanceof CallEvent.Ended ended) {
///         System.out.println(ended.call().tool() + " took " + ended.took());
///     }
/// };
/// Engine engine = Engine.builder().listener(progress).build();
/// ```
@FunctionalInterface
public interface CallListener {
    /// Gets one event. Called by the thread of the call, so it should return soon.
    void on(CallEvent event);

    /// Returns whether a {@link CallEvent.Notice} reaches the session's reader through this listener. Where none does,
    /// the session's next result carries it.
    default boolean takesNotices(String session) {
        return false;
    }
}
