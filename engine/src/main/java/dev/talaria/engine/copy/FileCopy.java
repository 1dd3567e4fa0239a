package dev.talaria.engine.copy;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.util.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Copies one file through the relay. The target is replaced at once: a reader sees the old content or the new.
public final class FileCopy {
    /// The smallest size of a file whose interrupted copy is resumed.
    private static final long RESUMABLE = 4 << 20;

    private static final int PART = 1 << 18;

    private final Relay relay;
    private final Patience patience;

    public FileCopy(Relay relay, Patience patience) {
        this.relay = relay;
        this.patience = patience;
    }

    CopyResult up(Path from, String to, CopyProgress progress) {
        try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ)) {
            long size = source.size();
            long time = Files.getLastModifiedTime(from).toMillis();
            boolean resumable = size >= RESUMABLE;
            Map<String, Object> order = new LinkedHashMap<>();
            order.put("do", "put");
            order.put("path", to);
            order.put("name", String.valueOf(from.toAbsolutePath().normalize().getFileName()));
            order.put("size", size);
            order.put("mode", FolderTree.mode(from));
            order.put("mtime", time / 1000);
            if (resumable) {
                order.put("part", name(from.toRealPath().toString(), to, String.valueOf(size), String.valueOf(time)));
            }
            try (CopyAgent agent = CopyAgent.start(relay, order, _ -> {}, patience)) {
                long start = resumable ? agreed(agent, source, size) : 0;
                send(agent, source, start, size, progress);
                return new CopyResult(String.valueOf(agent.answer().get("path")), 1, size, start, List.of(), List.of());
            }
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot read " + from + ": " + Reason.of(e), e);
        }
    }

    /// Agrees with the agent where the copy begins: after the bytes of an earlier try if they are the same,
    /// else at 0.
    private static long agreed(CopyAgent agent, FileChannel source, long size) throws IOException {
        Map<String, Object> there = agent.answer();
        long have = Math.clamp(JsonFields.longNumber(there, "have").orElse(-1), 0, size);
        boolean same = have > 0 && Sha256.of(source, have).equals(there.get("sha256"));
        agent.tell(Map.of("from", same ? have : 0));
        return same ? have : 0;
    }

    private static void send(CopyAgent agent, FileChannel source, long start, long size, CopyProgress progress)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(PART);
        source.position(start);
        for (long at = start; at < size; ) {
            buffer.clear().limit((int) Math.min(PART, size - at));
            int count = source.read(buffer);
            if (count < 0) {
                throw new IOException("it became shorter while it was copied");
            }
            agent.send(buffer.flip());
            at += count;
            progress.moved(at, size);
        }
    }

    /// Returns a file's content from an offset on.
    ///
    /// @throws SandboxException if the file has more than `limit` bytes
    public byte[] read(String path, long offset, long limit) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        Map<String, Object> order = Map.of("do", "get", "path", path, "offset", offset);
        try (CopyAgent agent = CopyAgent.start(
                relay,
                order,
                part -> {
                    if (content.size() + offset + part.remaining() > limit) {
                        throw tooLarge(path, limit);
                    }
                    byte[] bytes = new byte[part.remaining()];
                    part.get(bytes);
                    content.writeBytes(bytes);
                },
                patience)) {
            if (JsonFields.longNumber(agent.answer(), "size").orElse(-1) > limit) {
                throw tooLarge(path, limit);
            }
            var _ = agent.answer();
            return content.toByteArray();
        }
    }

    private static SandboxException tooLarge(String path, long limit) {
        return new SandboxException(
                ErrorCode.FILE_REFUSED,
                path + " has more than " + limit
                        + " bytes, and so much cannot be read at once. Use terminal with head, tail or grep.");
    }

    /// Copies a file or a folder out of the sandbox.
    CopyResult down(String sandbox, String from, Path to, long mostBytes, CopyProgress progress) {
        try (PartFile part = PartFile.beside(to, name(sandbox, from, to.toString()));
                Download download = new Download(part, to, part.length(), mostBytes, progress)) {
            long have = part.length();
            Map<String, Object> order = new LinkedHashMap<>();
            order.put("do", "get");
            order.put("path", from);
            order.put("folders", true);
            if (have > 0) {
                order.put("have", have);
                order.put("sha256", part.hash());
            }
            try (CopyAgent agent = CopyAgent.start(relay, order, download, patience)) {
                var _ = agent.answer();
                return download.settle(agent.answer());
            }
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot write " + to + ": " + Reason.of(e), e);
        }
    }

    /// Returns the name of a copy. The same copy has the same name when it is tried again.
    static String name(String... parts) {
        return Sha256.of(String.join("\0", parts).getBytes(StandardCharsets.UTF_8))
                .substring(0, 16);
    }
}
