package dev.talaria.engine;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;

/// A backend whose sandboxes cannot be opened, for calls that need none.
final class NoBackend implements Backend {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        throw new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, "Nothing opens here.");
    }
}
