package dev.talaria.engine.files;

import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.relay.Relay;
import java.time.Duration;

/// Files inside a sandbox that is not this machine, through its relay.
final class SandboxFiles {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private final Workplace workplace;

    SandboxFiles(Workplace workplace) {
        this.workplace = workplace;
    }

    byte[] read(String path, long limit, Duration remaining) {
        Relay relay = workplace.relay();
        return relay.readFile(absolute(relay, path), 0, limit, shorter(remaining));
    }

    String write(String path, byte[] content, Duration remaining) {
        Relay relay = workplace.relay();
        return relay.writeFile(absolute(relay, path), content, shorter(remaining));
    }

    private static String absolute(Relay relay, String path) {
        if (path.startsWith("/") || path.startsWith("~")) {
            return path;
        }
        String cwd = relay.info().cwd();
        return cwd.endsWith("/") ? cwd + path : cwd + "/" + path;
    }

    private static Duration shorter(Duration remaining) {
        return remaining.compareTo(PATIENCE) < 0 ? remaining : PATIENCE;
    }
}
