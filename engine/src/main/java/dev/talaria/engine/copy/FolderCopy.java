package dev.talaria.engine.copy;

import dev.talaria.api.DisplayText;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.json.JsonFields;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Copies a folder of this machine into a sandbox, as one archive.
final class FolderCopy {
    private static final int PART = 1 << 18;

    private final Relay relay;
    private final Patience patience;

    FolderCopy(Relay relay, Patience patience) {
        this.relay = relay;
        this.patience = patience;
    }

    CopyResult up(Path from, String to, CopyProgress progress) {
        try {
            FolderTree tree = FolderTree.of(from, _ -> false);
            long total = tree.bytes();
            String name = String.valueOf(from.toRealPath().getFileName());
            Map<String, Object> order = Map.of("do", "put_tree", "path", to, "name", name);
            try (CopyAgent agent = CopyAgent.start(relay, order, _ -> {}, patience)) {
                TarWriter tar = new TarWriter(new BufferedOutputStream(agent.stream(), PART));
                tree.write(tree.items(), tar, done -> progress.moved(done, total));
                agent.endInput();
                Map<String, Object> done = agent.answer();
                List<String> notes = new ArrayList<>(tree.notes());
                notes.addAll(refused(done));
                return new CopyResult(
                        String.valueOf(done.get("path")),
                        JsonFields.longNumber(done, "files").orElse(-1),
                        total,
                        0,
                        notes,
                        List.of());
            }
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot read " + from + ": " + Reason.of(e), e);
        }
    }

    static List<String> refused(Map<String, Object> said) {
        return JsonFields.texts(said, "left_out").stream()
                .limit(20)
                .map(name -> DisplayText.name(name) + " could not be put there: something is in its way; left out.")
                .toList();
    }
}
