package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The working folders of sessions that run side by side on this machine: each has its own below the common one.
final class SessionFolders {
    private static final int LONGEST = 40;

    private final Settings settings;
    private final Map<String, String> made = new ConcurrentHashMap<>();

    SessionFolders(Settings settings) {
        this.settings = settings;
    }

    /// Returns a session's folder and creates it on the first request; empty if sessions share the working
    /// folder.
    Optional<String> of(String session, Backend backend) {
        return backend.worksInHostFolders() ? Optional.of(made.computeIfAbsent(session, this::make)) : Optional.empty();
    }

    void forget(String session) {
        made.remove(session);
    }

    private String make(String session) {
        String name = session.replaceAll("[^A-Za-z0-9._-]", "_");
        Path base = Folders.workingFolder(settings.cwd().orElse(""));
        Path folder = base.resolve(
                "talaria-" + name.substring(0, Math.min(LONGEST, name.length())) + "-" + RandomBytes.hex(4));
        try {
            return Files.createDirectories(folder).toString();
        } catch (IOException e) {
            throw new SandboxException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "No folder can be made for the session '" + session + "' in " + base + " (" + Reason.of(e)
                            + "). Make it writable, or choose another working folder.",
                    e);
        }
    }
}
