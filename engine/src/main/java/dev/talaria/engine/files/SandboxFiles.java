package dev.talaria.engine.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.start.ShortCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Files inside a sandbox that is not this machine: through its relay, or by direct exec where there is no Python.
final class SandboxFiles {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String WRITE =
            "case $1 in */*) mkdir -p -- \"${1%/*}\" ;; esac && cat > \"$1.talaria-$$\" && mv -f -- \"$1.talaria-$$\" \"$1\"";

    private final Workplace workplace;

    SandboxFiles(Workplace workplace) {
        this.workplace = workplace;
    }

    byte[] read(String path, long limit, Duration remaining) {
        Optional<Relay> relay = workplace.relayIfAny();
        return relay.isPresent()
                ? relay.get().readFile(absolute(relay.get(), path), 0, limit, shorter(remaining))
                : direct(path, List.of("cat", "--", path), new byte[0], remaining);
    }

    String write(String path, byte[] content, Duration remaining) {
        Optional<Relay> relay = workplace.relayIfAny();
        if (relay.isPresent()) {
            return relay.get().writeFile(absolute(relay.get(), path), content, shorter(remaining));
        }
        direct(path, List.of("sh", "-c", WRITE, "sh", path), content, remaining);
        return path;
    }

    private byte[] direct(String path, List<String> argv, byte[] input, Duration remaining) {
        ShortCommand.Ended ended = ShortCommand.run(workplace.sandbox(), argv, input, shorter(remaining));
        if (ended.status().filter(code -> code == 0).isEmpty()) {
            boolean missing = ended.said().contains("No such file");
            throw new SandboxException(
                    missing ? ErrorCode.FILE_NOT_FOUND : ErrorCode.FILE_REFUSED, path + ": " + ended.said());
        }
        return ended.stdout();
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
