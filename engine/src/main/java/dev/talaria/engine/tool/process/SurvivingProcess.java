package dev.talaria.engine.tool.process;

import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.admin.ProcessConnection;
import dev.talaria.engine.admin.ProcessLines;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.RandomBytes;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A surviving process, as its folder describes it: `entry.json` identifies it, `log` holds its output, `exit.json`
/// says how it ended, and its guardian listens on `sock`.
///
/// @param command the redacted command, since it is on disk
/// @param flags the flags of the call that started it
/// @param running the process itself, and the one that looks after it
/// @param owner the Talaria that shows it; if that is dead, another Talaria may take it over
public record SurvivingProcess(
        Path folder,
        String id,
        String session,
        String command,
        Optional<String> cwd,
        Instant started,
        BackgroundFlags flags,
        String socket,
        Running running,
        Identity owner)
        implements ListedProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SurvivingProcess.class);
    private static final Duration SHOWN_AFTER_END = Duration.ofDays(7);
    private static final Duration LONGEST_START = Duration.ofHours(1);
    private static final int LONGEST_SOCKET = 100;
    private static final Pattern FAR_SOCKET = Pattern.compile("/tmp/talaria-kept-[0-9a-f]{16}/sock");

    /// The process and its guardian.
    ///
    /// @param process what was started
    /// @param guardian what looks after it
    public record Running(Identity process, Identity guardian) {
        /// Nobody yet: the guardian knows whom it starts, and itself.
        static final Running NOT_YET = new Running(Identity.NOBODY, Identity.NOBODY);
    }

    static Path folder(Folders folders) {
        return folders.processes().resolve("kept");
    }

    /// Returns all surviving processes, oldest first. It removes those that ended long ago.
    public static List<SurvivingProcess> all(Folders folders) {
        List<Path> found = StateFile.list(folder(folders)).stream()
                .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
                .toList();
        List<SurvivingProcess> all = found.stream()
                .flatMap(folder -> read(folder).stream())
                .sorted(Comparator.comparing(SurvivingProcess::started))
                .toList();
        all.stream().filter(one -> !one.guarded()).forEach(SurvivingProcess::deleteSocket);
        all.stream().filter(SurvivingProcess::endedLongAgo).forEach(SurvivingProcess::delete);
        found.stream().filter(SurvivingProcess::neverBegan).forEach(ProcessFolder::delete);
        return all.stream().filter(one -> Files.exists(one.folder)).toList();
    }

    /// Returns whether a failed start left this folder: it is too old for a start that still runs.
    private static boolean neverBegan(Path folder) {
        return !Files.exists(folder.resolve("entry.json")) && isOlder(folder, LONGEST_START);
    }

    private boolean endedLongAgo() {
        Path exit = folder.resolve("exit.json");
        return !guarded() && isOlder(Files.exists(exit) ? exit : folder.resolve("entry.json"), SHOWN_AFTER_END);
    }

    private static boolean isOlder(Path file, Duration age) {
        try {
            return Files.getLastModifiedTime(file)
                    .toInstant()
                    .isBefore(Instant.now().minus(age));
        } catch (IOException e) {
            return false;
        }
    }

    static Optional<SurvivingProcess> read(Path folder) {
        try {
            Map<String, Object> fields = StateFile.read(folder.resolve("entry.json"));
            return Optional.of(new SurvivingProcess(
                    folder,
                    String.valueOf(fields.get("id")),
                    String.valueOf(fields.get("session")),
                    String.valueOf(fields.get("command")),
                    JsonFields.text(fields, "cwd"),
                    Instant.parse(String.valueOf(fields.get("started"))),
                    BackgroundFlags.stored(fields),
                    String.valueOf(fields.get("socket")),
                    new Running(
                            Identity.of(fields, "pid", "start").orElseThrow(),
                            Identity.of(fields, "guardian", "guardian_start").orElseThrow()),
                    Identity.of(fields, "owner", "owner_start").orElseThrow()));
        } catch (IOException | RuntimeException e) {
            LOG.debug("No process is described in {}", folder, e); // usually the process is just being started
            return Optional.empty();
        }
    }

    /// Returns the path of a guardian's socket. The path of a socket has room for 107 bytes.
    static String socket(Path folder) {
        String near = folder.resolve("sock").toString();
        return fits(near) ? near : "/tmp/talaria-kept-" + RandomBytes.hex(8) + "/sock";
    }

    static boolean fits(String socket) {
        return socket.length() <= LONGEST_SOCKET;
    }

    /// Writes `entry.json` again. The guardian writes it first, since it knows the process that it has started.
    void write() throws IOException {
        Map<String, Object> fields = entry();
        fields.put("pid", running.process.pid());
        fields.put("start", running.process.start());
        fields.put("guardian", running.guardian.pid());
        fields.put("guardian_start", running.guardian.start());
        StateFile.write(folder.resolve("entry.json"), fields);
    }

    /// Returns the fields of `entry.json` without the process and its guardian.
    Map<String, Object> entry() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("session", session);
        fields.put("command", command);
        cwd.ifPresent(path -> fields.put("cwd", path));
        fields.put("started", started.toString());
        fields.putAll(flags.stored());
        fields.put("socket", socket);
        fields.put("owner", owner.pid());
        fields.put("owner_start", owner.start());
        return fields;
    }

    SurvivingProcess ownedBy(Identity newOwner) {
        return new SurvivingProcess(folder, id, session, command, cwd, started, flags, socket, running, newOwner);
    }

    boolean pty() {
        return flags.pty();
    }

    @Override
    public long pid() {
        return running.process.pid();
    }

    private boolean guarded() {
        return running.guardian.alive();
    }

    @Override
    public OptionalLong endsWith() {
        return OptionalLong.empty();
    }

    @Override
    public Optional<Integer> exitCode() {
        return report().map(report -> {
            ProcessEnd end = ProcessEnd.of(Exit.of(report), started);
            return (JsonFields.isTrue(report, "killed") ? end.killedBy("process.kill") : end).exitCode();
        });
    }

    ProcessLog log() {
        return new ProcessLog(folder.resolve("log"));
    }

    @Override
    public ProcessLines lines(int last) {
        return log().last(last, command);
    }

    @Override
    public boolean kill() {
        try (SurvivingConnection connection = SurvivingConnection.to(this, _ -> {})) {
            connection.kill();
            var _ = connection.await();
        }
        return true;
    }

    @Override
    public Optional<ProcessConnection> connect(Consumer<byte[]> output) {
        return Optional.of(SurvivingConnection.to(this, output));
    }

    @Override
    public Optional<ProcessConnection> follow(int last, Consumer<String> line) {
        return Optional.of(SurvivingConnection.lines(this, last, line));
    }

    /// Returns the guardian's report of the end; empty if the process runs, or if its guardian was killed.
    Optional<Map<String, Object>> report() {
        try {
            return Optional.of(StateFile.read(folder.resolve("exit.json")));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String status() {
        return report().isPresent() ? "exited" : guarded() ? "running" : "lost";
    }

    void delete() {
        deleteSocket();
        ProcessFolder.delete(folder);
    }

    /// Removes the socket of a killed guardian. The socket is elsewhere if its folder's path is too long for a
    /// socket.
    private void deleteSocket() {
        if (FAR_SOCKET.matcher(socket).matches()) {
            ProcessFolder.delete(Path.of(socket).resolveSibling(""));
            return;
        }
        try {
            Files.deleteIfExists(folder.resolve("sock"));
        } catch (IOException e) {
            LOG.debug("Cannot remove the socket in {}", folder, e);
        }
    }
}
