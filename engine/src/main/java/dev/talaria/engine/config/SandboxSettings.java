package dev.talaria.engine.config;

import java.time.Duration;
import java.util.Optional;

/// How long sandboxes live, and who shares them.
///
/// @param scope who shares one
/// @param ownFolder whether each session works in a folder of its own below the working folder, on this machine
/// @param idle how long one is kept that nobody uses
/// @param warm how many are kept ready for sessions to come
/// @param sharedKey the name of the kept container that all sessions use, whichever Talaria they are of; absent means
///     the one of this user
public record SandboxSettings(
        SandboxScope scope, boolean ownFolder, Duration idle, int warm, Optional<String> sharedKey) {
    public static final int MOST_WARM = 64;

    public SandboxSettings {
        Require.positive("sandbox.idle", idle);
        Require.between("sandbox.warm", warm, 0, MOST_WARM);
    }

    public static SandboxSettings defaults() {
        return new SandboxSettings(SandboxScope.SESSION, false, Duration.ofMinutes(5), 0, Optional.empty());
    }

    public SandboxSettings withScope(SandboxScope newScope) {
        return new SandboxSettings(newScope, ownFolder, idle, warm, sharedKey);
    }

    public SandboxSettings withOwnFolder(boolean newOwnFolder) {
        return new SandboxSettings(scope, newOwnFolder, idle, warm, sharedKey);
    }

    public SandboxSettings withIdle(Duration newIdle) {
        return new SandboxSettings(scope, ownFolder, newIdle, warm, sharedKey);
    }

    public SandboxSettings withWarm(int newWarm) {
        return new SandboxSettings(scope, ownFolder, idle, newWarm, sharedKey);
    }

    public SandboxSettings withSharedKey(String newKey) {
        return new SandboxSettings(scope, ownFolder, idle, warm, Optional.of(newKey));
    }
}
