package dev.talaria.engine.config;

import java.time.Duration;

/// How long sandboxes live, and who shares them.
///
/// @param scope who shares one
/// @param ownFolder whether each session works in a folder of its own below the working folder, on this machine
/// @param idle how long one is kept that nobody uses
/// @param warm how many are kept ready for sessions to come
public record SandboxSettings(SandboxScope scope, boolean ownFolder, Duration idle, int warm) {
    public static final int MOST_WARM = 64;

    public SandboxSettings {
        Require.positive("sandbox.idle", idle);
        Require.between("sandbox.warm", warm, 0, MOST_WARM);
    }

    public static SandboxSettings defaults() {
        return new SandboxSettings(SandboxScope.SESSION, false, Duration.ofMinutes(5), 0);
    }

    public SandboxSettings withScope(SandboxScope newScope) {
        return new SandboxSettings(newScope, ownFolder, idle, warm);
    }

    public SandboxSettings withOwnFolder(boolean newOwnFolder) {
        return new SandboxSettings(scope, newOwnFolder, idle, warm);
    }

    public SandboxSettings withIdle(Duration newIdle) {
        return new SandboxSettings(scope, ownFolder, newIdle, warm);
    }

    public SandboxSettings withWarm(int newWarm) {
        return new SandboxSettings(scope, ownFolder, idle, newWarm);
    }
}
