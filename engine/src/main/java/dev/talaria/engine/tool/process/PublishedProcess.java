package dev.talaria.engine.tool.process;

import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.admin.ProcessLines;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A process that ends with its engine, as the engine's {@link ProcessPublisher} describes it.
///
/// @param folder the folder with the engine's logs
/// @param command the redacted command, since it is on disk
/// @param socket the socket that the engine listens on
/// @param owner the Talaria that runs it
public record PublishedProcess(
        Path folder,
        String id,
        String command,
        Optional<String> cwd,
        Instant started,
        long pid,
        String status,
        Optional<Integer> exitCode,
        String socket,
        Identity owner)
        implements ListedProcess {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedProcess.class);
    static final String SUFFIX = ".json";

    public static List<PublishedProcess> all(Folders folders) {
        return StateFile.list(folders.processes()).stream()
                .filter(folder -> folder.getFileName().toString().startsWith(ProcessFolder.PREFIX)
                        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
                .flatMap(folder -> StateFile.list(folder).stream())
                .filter(file -> file.toString().endsWith(SUFFIX))
                .flatMap(file -> read(file).stream())
                .filter(one -> one.owner.alive()) // the processes of a dead engine have ended with it
                .toList();
    }

    private static Optional<PublishedProcess> read(Path file) {
        try {
            Map<String, Object> fields = StateFile.read(file);
            return Optional.of(new PublishedProcess(
                    file.resolveSibling(""),
                    String.valueOf(fields.get("id")),
                    String.valueOf(fields.get("command")),
                    JsonFields.text(fields, "cwd"),
                    Instant.parse(String.valueOf(fields.get("started"))),
                    JsonFields.longNumber(fields, "pid").orElse(0),
                    String.valueOf(fields.get("status")),
                    fields.get("exit_code") instanceof Number code ? Optional.of(code.intValue()) : Optional.empty(),
                    String.valueOf(fields.get("socket")),
                    Identity.of(fields, "owner", "owner_start").orElseThrow()));
        } catch (IOException | RuntimeException e) {
            LOG.debug("No process is described in {}", file, e);
            return Optional.empty();
        }
    }

    Map<String, Object> json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("command", command);
        cwd.ifPresent(path -> fields.put("cwd", path));
        fields.put("started", started.toString());
        fields.put("pid", pid);
        fields.put("status", status);
        exitCode.ifPresent(code -> fields.put("exit_code", code));
        fields.put("socket", socket);
        fields.put("owner", owner.pid());
        fields.put("owner_start", owner.start());
        return fields;
    }

    @Override
    public ProcessLines lines(int last) {
        return new ProcessLog(folder.resolve(id + ".log")).last(last, command);
    }

    @Override
    public OptionalLong endsWith() {
        return OptionalLong.of(owner.pid());
    }

    /// Asks the process's engine to end it, and waits for the end.
    @Override
    public boolean kill() {
        try (SocketChannel engine = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            engine.connect(UnixDomainSocketAddress.of(socket));
            Channels.newOutputStream(engine).write((id + "\n").getBytes(StandardCharsets.US_ASCII));
            try (InputStream answer = Channels.newInputStream(engine)) {
                return answer.read() == ProcessPublisher.ENDED;
            }
        } catch (IOException e) {
            LOG.debug("The engine of {} does not listen", id, e);
            return !owner.alive();
        }
    }
}
