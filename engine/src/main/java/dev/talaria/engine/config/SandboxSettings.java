package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.time.Duration;
import java.util.Optional;

/// How long sandboxes live, and who shares them.
///
/// @param scope which sessions share a sandbox
/// @param ownFolder whether each session works in a folder of its own below the working folder, on this machine
/// @param idle how long an unused sandbox is kept
/// @param warm how many sandboxes are opened ahead of their sessions
/// @param sharedKey the name of the kept container that the sessions of all Talarias share; absent means that of
///     this user
public record SandboxSettings(
        SandboxScope scope, boolean ownFolder, Duration idle, int warm, Optional<String> sharedKey) {
    public static final int MOST_WARM = 64;

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<SandboxScope> SCOPE = KEYS.add(
            "sandbox.scope",
            ValueKind.choice(SandboxScope.class),
            SandboxScope.SESSION,
            REFUSED,
            "Whether each session has a sandbox of its own (session) or all share one, with one shell (shared).");
    static final ConfigKey<Boolean> OWN_FOLDER = KEYS.add(
            "sandbox.own-folder",
            ValueKind.flag(),
            false,
            REFUSED,
            "Whether each session works in a folder of its own below the working folder, so that sessions side by side"
                    + " keep out of each other's way; on local and bubblewrap.");
    static final ConfigKey<Duration> IDLE = KEYS.add(
            "sandbox.idle",
            ValueKind.idleTime(),
            Duration.ofMinutes(5),
            REFUSED,
            "How long a sandbox is kept that nobody uses and in which nothing runs.");
    static final ConfigKey<Integer> WARM = KEYS.add(
            "sandbox.warm",
            ValueKind.count(0, MOST_WARM),
            0,
            REFUSED,
            "How many sandboxes are kept ready for sessions to come.");
    static final ConfigKey<Optional<String>> SHARED_KEY = KEYS.add(
            "sandbox.shared-key",
            ValueKind.text("a name"),
            Optional.empty(),
            REFUSED,
            "The name of the kept home and workspace that all sessions use; on docker and podman with persistent: true.");

    public SandboxSettings {
        Require.positive(IDLE, idle);
        Require.between(WARM, warm, 0, MOST_WARM);
    }

    public static SandboxSettings defaults() {
        return from(new Choices());
    }

    static SandboxSettings from(Choices choices) {
        return new SandboxSettings(
                choices.value(SCOPE),
                choices.value(OWN_FOLDER),
                choices.value(IDLE),
                choices.value(WARM),
                choices.value(SHARED_KEY));
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
