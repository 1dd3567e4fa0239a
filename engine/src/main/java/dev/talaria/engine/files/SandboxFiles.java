package dev.talaria.engine.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.start.ShortCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Files inside a sandbox that is not this machine: through its relay, or by direct exec where there is no Python.
final class SandboxFiles {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final String WRITE =
            "case $1 in */*) mkdir -p -- \"${1%/*}\" ;; esac && cat > \"$1.talaria-$$\" && mv -f -- \"$1.talaria-$$\" \"$1\"";

    private final Workplace workplace;
    private final Patience patience;

    SandboxFiles(Workplace workplace, Patience patience) {
        this.workplace = workplace;
        this.patience = patience;
    }

    byte[] read(String path, long limit) {
        Optional<Relay> relay = workplace.relayIfAny(patience);
        return relay.isPresent()
                ? relay.get().readFile(absolute(relay.get(), path), 0, limit, patience)
                : direct(path, List.of("cat", "--", path), new byte[0]);
    }

    String write(String path, byte[] content) {
        Optional<Relay> relay = workplace.relayIfAny(patience);
        if (relay.isPresent()) {
            return relay.get().writeFile(absolute(relay.get(), path), content, patience);
        }
        direct(path, List.of("sh", "-c", WRITE, "sh", path), content);
        return path;
    }

    private byte[] direct(String path, List<String> argv, byte[] input) {
        ShortCommand.Ended ended = ShortCommand.run(workplace.sandbox(), argv, input, LONGEST, patience);
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
}
