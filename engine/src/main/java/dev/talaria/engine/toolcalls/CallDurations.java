package dev.talaria.engine.toolcalls;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Remembers how long each tool's recent calls took.
final class CallDurations {
    private static final long QUICK = Duration.ofNanos(300_000).toNanos();
    private static final int MOST_TOOLS = 1000;

    private final Map<String, Long> recent = new ConcurrentHashMap<>();

    /// Returns whether the tool was called before and is quick.
    boolean quick(String tool) {
        Long nanos = recent.get(tool);
        return nanos != null && nanos < QUICK;
    }

    void took(@Nullable Object tool, long nanos) {
        if (tool instanceof String name && (recent.size() < MOST_TOOLS || recent.containsKey(name))) {
            // A slow call counts at once, quick calls count gradually.
            recent.merge(name, nanos, (before, now) -> now > before ? now : (3 * before + now) / 4);
        }
    }
}
