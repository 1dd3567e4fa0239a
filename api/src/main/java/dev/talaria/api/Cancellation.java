package dev.talaria.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lets a caller cancel a call while it runs. A child is cancelled with its parent; a parent is not cancelled with
/// its child.
///
/// ```java
/// Cancellation cancellation = new Cancellation();
/// Thread.startVirtualThread(() -> cancellation.cancel("the user pressed Esc"));
/// ToolResult result = engine.call(call, cancellation);
/// ```
public final class Cancellation {
    private final Object lock = new Object();
    private final Map<Object, Runnable> listeners = new LinkedHashMap<>(); // guarded by lock
    private volatile @Nullable String reason; // written once under lock, read anywhere

    /// A registered action. Closing it removes the action.
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /// Cancels the call. The first reason counts; further calls do nothing.
    public void cancel(String why) {
        List<Runnable> toRun;
        synchronized (lock) {
            if (reason != null) {
                return;
            }
            reason = why;
            toRun = new ArrayList<>(listeners.values());
            listeners.clear();
        }
        toRun.forEach(Runnable::run);
    }

    /// Returns whether somebody has cancelled.
    public boolean cancelled() {
        return reason != null;
    }

    /// Returns the reason of the cancellation; empty if nobody has cancelled.
    public Optional<String> reason() {
        return Optional.ofNullable(reason);
    }

    /// Runs `action` on cancellation. If somebody has cancelled already, it runs at once, in this thread.
    public Registration onCancel(Runnable action) {
        Object key = new Object(); // the same action may be registered twice
        synchronized (lock) {
            if (reason == null) {
                listeners.put(key, action);
                return () -> {
                    synchronized (lock) {
                        listeners.remove(key);
                    }
                };
            }
        }
        action.run();
        return () -> {};
    }

    /// Returns a cancellation that is cancelled with this one and can also be cancelled alone. Close it when its
    /// work is over.
    public Child child() {
        return new Child(this);
    }

    /// A cancellation below another one.
    public static final class Child implements AutoCloseable {
        private final Cancellation cancellation = new Cancellation();
        private final Registration registration;

        private Child(Cancellation parent) {
            registration =
                    parent.onCancel(() -> cancellation.cancel(parent.reason().orElse("cancelled")));
        }

        /// Returns the cancellation for the inner work.
        public Cancellation cancellation() {
            return cancellation;
        }

        @Override
        public void close() {
            registration.close();
        }
    }
}
