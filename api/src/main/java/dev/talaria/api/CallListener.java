package dev.talaria.api;

/// Receives the events of calls.
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
    /// Receives one event. The thread that caused the event calls this method and waits for it, so it should
    /// return soon. The engine logs what it throws.
    void on(CallEvent event);

    /// Returns whether this listener shows a {@link CallEvent.Notice} to the people or model of a session. If no
    /// listener does, the session's next result carries the notice.
    default boolean takesNotices(String session) {
        return false;
    }
}
