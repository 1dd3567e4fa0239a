package dev.talaria.api;

/// Hears what happens to calls. Called from the thread that made it happen: return quickly, throw nothing.
@FunctionalInterface
public interface CallListener {
    void on(CallEvent event);
}
