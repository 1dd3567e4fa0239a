package dev.talaria.engine.config;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.Map;
import java.util.Optional;

/// A backend that declares what it is told to, and opens nothing.
public record DeclaredBackend(String name, boolean isolates, boolean shares) implements Backend {
    @Override
    public Optional<String> keepOption() {
        return Optional.of("persistent");
    }

    @Override
    public boolean sharesWhatItKeeps(Map<String, String> options) {
        return shares;
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        throw new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, "Nothing opens here.");
    }
}
