package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.Caller;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.SandboxScope;
import dev.talaria.engine.config.Settings;
import java.util.Optional;

/// Says which sandbox the calls of a session use: the session's own, or one that sessions share. Decision 8 has the
/// rules and compares them with those of Hermes.
final class SandboxKeys {
    /// The key of the sandbox that all sessions of an engine share. No session has this name.
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

    /// Returns the key of a session's sandbox. The folders that outlive the sandbox are named by the key.
    String of(String session, SessionOverride override) {
        if (common.isEmpty()) {
            return session;
        }
        return override.isolates() ? own(session) : common.get();
    }

    /// Returns the key of a session's own sandbox. It differs from the keys of shared ones, whatever the
    /// session's name is.
    private String own(String session) {
        return isShared(session) || session.startsWith(OWN) ? OWN + session : session;
    }

    /// Returns whether several sessions may share the sandbox with this key.
    boolean isShared(String key) {
        return common.filter(key::equals).isPresent();
    }
}
