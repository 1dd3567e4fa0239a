package dev.talaria.engine.process;

import dev.talaria.engine.Json;
import dev.talaria.engine.RandomBytes;
import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process that outlives Talaria, as its folder describes it: `entry.json` who it is, `log` what it printed,
/// `exit.json` how it ended, `sock` where its guardian listens.
///
/// @param command redacted: it is kept on disk
/// @param process who runs
/// @param guardian who looks after it
/// @param owner the Talaria that shows it; when that is dead, another may
public record Kept(
        Path folder,
        String id,
        String session,
        String command,
        Optional<String> cwd,
        Instant started,
        boolean pty,
        boolean tells,
        String socket,
        Identity process,
        Identity guardian,
        Identity owner) {
    private static final Logger LOG = LoggerFactory.getLogger(Kept.class);
    private static final Duration SHOWN_AFTER_END = Duration.ofDays(7);
    private static final int LONGEST_SOCKET = 100;

    static Path folder(Folders folders) {
        return folders.processes().resolve("kept");
    }

    /// Returns all that are there, oldest first. Those that ended long ago are removed.
    public static List<Kept> all(Folders folders) {
        Path base = folder(folders);
        if (!Files.isDirectory(base)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(base)) {
            List<Kept> all = found.flatMap(folder -> read(folder).stream())
                    .sorted(Comparator.comparing(Kept::started))
                    .toList();
            Instant longAgo = Instant.now().minus(SHOWN_AFTER_END);
            all.stream().filter(one -> one.endedBefore(longAgo)).forEach(Kept::delete);
            return all.stream().filter(one -> Files.exists(one.folder)).toList();
        } catch (IOException e) {
            LOG.warn("Cannot list {}: {}", base, e.getMessage());
            return List.of();
        }
    }

    private static Optional<Kept> read(Path folder) {
        try {
            Map<String, Object> fields = Json.object(Files.readAllBytes(folder.resolve("entry.json")));
            return Optional.of(new Kept(
                    folder,
                    String.valueOf(fields.get("id")),
                    String.valueOf(fields.get("session")),
                    String.valueOf(fields.get("command")),
                    fields.get("cwd") instanceof String cwd ? Optional.of(cwd) : Optional.empty(),
                    Instant.parse(String.valueOf(fields.get("started"))),
                    Boolean.TRUE.equals(fields.get("pty")),
                    Boolean.TRUE.equals(fields.get("notify_on_complete")),
                    String.valueOf(fields.get("socket")),
                    Identity.of(fields, "pid", "start").orElseThrow(),
                    Identity.of(fields, "guardian", "guardian_start").orElseThrow(),
                    Identity.of(fields, "owner", "owner_start").orElseThrow()));
        } catch (IOException | RuntimeException e) {
            LOG.debug("No process is described in {}", folder, e); // one that is being started, as a rule
            return Optional.empty();
        }
    }

    /// Returns where a guardian can listen: a socket's path has room for 107 bytes.
    static String socket(Path folder) {
        String near = folder.resolve("sock").toString();
        return near.length() <= LONGEST_SOCKET ? near : "/tmp/talaria-kept-" + RandomBytes.hex(8) + "/sock";
    }

    /// Writes `entry.json`: others see the old one or the new one.
    void write() throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("session", session);
        fields.put("command", command);
        cwd.ifPresent(path -> fields.put("cwd", path));
        fields.put("started", started.toString());
        fields.put("pty", pty);
        fields.put("notify_on_complete", tells);
        fields.put("socket", socket);
        fields.put("pid", process.pid());
        fields.put("start", process.start());
        fields.put("guardian", guardian.pid());
        fields.put("guardian_start", guardian.start());
        fields.put("owner", owner.pid());
        fields.put("owner_start", owner.start());
        Path fresh = folder.resolve("entry." + RandomBytes.hex(4));
        try (FileChannel file = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(Json.bytes(fields));
            while (bytes.hasRemaining()) {
                var _ = file.write(bytes);
            }
        }
        Files.move(
                fresh,
                folder.resolve("entry.json"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    Kept ownedBy(Identity newOwner) {
        return new Kept(folder, id, session, command, cwd, started, pty, tells, socket, process, guardian, newOwner);
    }

    public long pid() {
        return process.pid();
    }

    /// Returns its exit code as results show it; empty while it runs, or if nobody knows.
    public Optional<Integer> exitCode() {
        return report().map(report -> Ended.of(
                        GuardedJob.exit(report),
                        Boolean.TRUE.equals(report.get("killed")) ? Optional.of("process.kill") : Optional.empty(),
                        started)
                .exitCode());
    }

    /// Returns what it has printed.
    public ProcessLog log() {
        return new ProcessLog(folder.resolve("log"));
    }

    /// Returns what the guardian wrote about its end; empty if there was none, or nobody lived to see it.
    Optional<Map<String, Object>> report() {
        try {
            return Optional.of(Json.object(Files.readAllBytes(folder.resolve("exit.json"))));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private boolean endedBefore(Instant moment) {
        try {
            Path exit = folder.resolve("exit.json");
            return !guardian.alive()
                    && Files.getLastModifiedTime(Files.exists(exit) ? exit : folder.resolve("entry.json"))
                            .toInstant()
                            .isBefore(moment);
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the word for its state: `running`, `exited` or `lost`.
    public String status() {
        return report().isPresent() ? "exited" : guardian.alive() ? "running" : "lost";
    }

    void delete() {
        ProcessFolder.delete(folder);
    }
}
