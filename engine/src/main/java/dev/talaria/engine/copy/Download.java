package dev.talaria.engine.copy;

import dev.talaria.api.DisplayText;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.json.JsonFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Receives a file or a folder from a sandbox and writes it to this machine.
///
/// The sandbox's first message says which of the two it sends, and how many bytes.
final class Download implements CopyAgent.Receiver, AutoCloseable {
    private final PartFile part;
    private final Path to;
    private final long have;
    private final long mostBytes;
    private final CopyProgress progress;
    private final SafeUnpacker unpacker;
    private final TarReader tar;
    private boolean folder; // this and below: guarded by this
    private boolean announced;
    private long expected;
    private long arrived;
    private long resumed;
    private int mode;
    private long time;

    /// @param have how many bytes of the file an earlier copy has brought, if the file is still the same
    Download(PartFile part, Path to, long have, long mostBytes, CopyProgress progress) {
        this.part = part;
        this.have = have;
        this.to = to;
        this.mostBytes = mostBytes;
        this.progress = progress;
        this.unpacker = new SafeUnpacker(to, mostBytes);
        this.tar = new TarReader(unpacker);
    }

    @Override
    public synchronized void told(Map<String, Object> said) {
        if (announced) {
            return;
        }
        announced = true;
        folder = "folder".equals(said.get("kind"));
        expected = JsonFields.longNumber(said, "size").orElse(-1);
        resumed = Math.clamp(JsonFields.longNumber(said, "start").orElse(-1), 0, have);
        mode = (int) JsonFields.longNumber(said, "mode").orElse(-1) & 0777;
        time = Math.max(0, JsonFields.longNumber(said, "mtime").orElse(-1));
        arrived = resumed;
        if (said.containsKey("error")) {
            return;
        }
        objection().ifPresent(why -> {
            part.drop();
            throw new SandboxException(ErrorCode.FILE_REFUSED, why);
        });
        if (!folder) {
            part.from(resumed);
        }
    }

    private Optional<String> objection() {
        if (folder) {
            return Files.exists(to, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(to, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(to + " is a file here, and a folder there.")
                    : Optional.empty();
        }
        if (Files.isDirectory(to, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(to + " is a folder here, and a file there.");
        }
        if (expected < 0 || expected > mostBytes) {
            return Optional.of("The file has " + expected + " bytes; at most " + mostBytes + " are copied.");
        }
        long room = to.getParent() == null ? 0 : to.getParent().toFile().getUsableSpace();
        return expected - resumed > room
                ? Optional.of("The file has " + expected + " bytes, and there is room for " + room + " here.")
                : Optional.empty();
    }

    @Override
    public synchronized void data(ByteBuffer data) {
        if (!announced) {
            throw new IllegalArgumentException("it sent a file without saying which");
        }
        arrived += data.remaining();
        if (folder) {
            tar.accept(data);
            progress.moved(arrived, -1);
            return;
        }
        if (arrived > expected) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "The sandbox sent more than it said.");
        }
        part.write(data);
        progress.moved(arrived, expected);
    }

    /// Takes the last message and moves the complete file or folder to its target.
    synchronized CopyResult settle(Map<String, Object> said) throws IOException {
        if (folder) {
            if (!tar.over()) {
                throw new SandboxException(ErrorCode.SANDBOX_LOST, "The copy was cut.");
            }
            Files.createDirectories(to); // the folder may be empty
            List<String> notes = new ArrayList<>(unpacker.notes());
            JsonFields.texts(said, "left_out").stream()
                    .limit(20)
                    .forEach(name -> notes.add(DisplayText.name(name) + " cannot be copied; left out."));
            return new CopyResult(to.toString(), unpacker.files(), unpacker.bytes(), 0, notes, List.of());
        }
        if (arrived != expected) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The copy was cut.");
        }
        part.commit(to, mode, time);
        return new CopyResult(to.toString(), 1, expected, resumed, List.of(), List.of());
    }

    @Override
    public synchronized void close() {
        unpacker.close();
    }
}
