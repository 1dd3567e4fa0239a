package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.Caller;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.SandboxScope;
import dev.talaria.engine.config.Settings;
import java.util.Optional;

/// Says which sandbox the calls of a session use: its own, or one that they share. The rules are in decision 8, and
/// where they differ from Hermes'.
final class SandboxKeys {
    /// How the sandbox is called that all sessions of an engine share; no session has this name.
    private static final String SHARED = "(shared)";

    private static final String OWN = "session:";

    private final Optional<String> common;

    SandboxKeys(Settings settings, Backend backend) {
        this.common = common(settings, backend);
    }

    private static Optional<String> common(Settings settings, Backend backend) {
        boolean kept = settings.keeps(backend) && backend.sharesWhatItKeeps(settings.backendOptions());
        return settings.sandbox()
                .sharedKey()
                .filter(_ -> kept)
                .map(key -> "shared:" + key)
                .or(() -> kept ? Optional.of(Caller.DEFAULT_SESSION) : Optional.empty())
                .or(() -> settings.sandbox().scope() == SandboxScope.SHARED ? Optional.of(SHARED) : Optional.empty());
    }

    /// Returns the key of a session's sandbox. Its folders are named by it, if they are kept.
    String of(String session, SessionOverride override) {
        if (common.isEmpty()) {
            return session;
        }
        return override.isolates() ? own(session) : common.get();
    }

    /// No session has a sandbox for itself that others have, too.
    private String own(String session) {
        return isShared(session) || session.startsWith(OWN) ? OWN + session : session;
    }

    /// Returns whether the sandbox with this key is not one session's alone.
    boolean isShared(String key) {
        return common.filter(key::equals).isPresent();
    }
}
