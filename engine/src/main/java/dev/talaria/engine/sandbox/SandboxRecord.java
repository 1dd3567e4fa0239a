package dev.talaria.engine.sandbox;

import dev.talaria.api.HostView;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.admin.ListedSandbox;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The record of a sandbox on disk, from before it is opened until it is closed. When a Talaria was killed, another
/// one finds the record and removes the sandbox.
///
/// @param origin the backend that opened it, with what the backend needs to find it again
/// @param session the session that it belongs to
/// @param owner the Talaria that has it open
/// @param leased when its owner last changed the record
/// @param opened its name and isolation; absent until it is open
/// @param survivors processes in it that outlive their Talaria; the sandbox stays as long as one of them lives
public record SandboxRecord(
        String id,
        Origin origin,
        String session,
        SandboxOwner owner,
        Instant created,
        Instant leased,
        Optional<Opened> opened,
        List<Survivor> survivors)
        implements ListedSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxRecord.class);
    private static final String SUFFIX = ".json";

    /// The backend that opened a sandbox, with what the backend needs to find it again.
    ///
    /// @param backend the name of the backend
    /// @param options the options of the sandbox
    /// @param cwd its working folder
    public record Origin(String backend, Map<String, String> options, Optional<String> cwd) {
        public Origin {
            options = Map.copyOf(options);
        }
    }

    /// What is known of a sandbox once it is open.
    ///
    /// @param name its name in messages
    /// @param isolation the word for its isolation
    public record Opened(String name, String isolation) {}

    /// A process that outlives its Talaria.
    public record Survivor(String id, Identity process) {
        private static Survivor of(Map<?, ?> json) {
            Identity process = Identity.of(json, "pid", "start").orElseThrow();
            return new Survivor(String.valueOf(json.get("id")), process);
        }
    }

    public SandboxRecord {
        survivors = List.copyOf(survivors);
    }

    /// Returns the records of all sandboxes, oldest first.
    public static List<SandboxRecord> all(Folders folders) {
        return StateFile.list(folders.sandboxes()).stream()
                .filter(file -> file.getFileName().toString().matches("[0-9a-f]{12}\\.json"))
                .flatMap(file -> read(file).stream())
                .sorted(Comparator.comparing(SandboxRecord::created))
                .toList();
    }

    static Path file(Folders folders, String id) {
        return folders.sandboxes().resolve(id + SUFFIX);
    }

    private static Optional<SandboxRecord> read(Path file) {
        try {
            Map<String, Object> json = StateFile.read(file);
            if (!file.endsWith(json.get("id") + SUFFIX)) { // the file is named by the id
                throw new IOException("it says that it is '" + json.get("id") + "'");
            }
            Map<String, String> options = new LinkedHashMap<>();
            JsonFields.object(json, "options")
                    .forEach((key, value) -> options.put(String.valueOf(key), String.valueOf(value)));
            List<Survivor> survivors = new ArrayList<>();
            if (json.get("survivors") instanceof List<?> list) {
                list.forEach(one -> survivors.add(Survivor.of((Map<?, ?>) one)));
            }
            return Optional.of(new SandboxRecord(
                    String.valueOf(json.get("id")),
                    new Origin(String.valueOf(json.get("backend")), options, JsonFields.text(json, "cwd")),
                    String.valueOf(json.get("session")),
                    SandboxOwner.of(JsonFields.object(json, "owner")),
                    Instant.parse(String.valueOf(json.get("created"))),
                    Instant.parse(String.valueOf(json.get("leased"))),
                    JsonFields.text(json, "name")
                            .flatMap(name ->
                                    JsonFields.text(json, "isolation").map(isolation -> new Opened(name, isolation))),
                    survivors));
        } catch (IOException | RuntimeException e) {
            LOG.debug("No sandbox is described in {}", file, e); // the sandbox is usually just being closed
            return Optional.empty();
        }
    }

    void write(Folders folders) throws IOException {
        Folders.create(folders.sandboxes());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("backend", origin.backend);
        json.put("options", origin.options);
        origin.cwd.ifPresent(folder -> json.put("cwd", folder));
        json.put("session", session);
        json.put("owner", owner.json());
        json.put("created", created.toString());
        json.put("leased", leased.toString());
        name().ifPresent(text -> json.put("name", text));
        isolation().ifPresent(text -> json.put("isolation", text));
        json.put(
                "survivors",
                survivors.stream()
                        .map(one -> Map.of("id", one.id, "pid", one.process.pid(), "start", one.process.start()))
                        .toList());
        StateFile.write(file(folders, id), json);
    }

    /// Returns the spec that its backend needs to find the sandbox again.
    SandboxSpec spec() {
        Map<String, String> labels = Map.of("talaria.session", session);
        return new SandboxSpec(id, labels, origin.cwd, origin.options, Optional.empty(), HostView.NONE);
    }

    @Override
    public String backend() {
        return origin.backend;
    }

    @Override
    public Optional<String> name() {
        return opened.map(Opened::name);
    }

    @Override
    public Optional<String> isolation() {
        return opened.map(Opened::isolation);
    }

    @Override
    public OptionalLong talaria() {
        return owner.hasEnded(SandboxOwner.ofThisProcess())
                ? OptionalLong.empty()
                : OptionalLong.of(owner.process().pid());
    }

    @Override
    public List<String> processes() {
        return survivors.stream().map(Survivor::id).toList();
    }

    @Override
    public boolean abandoned() {
        return abandoned(SandboxOwner.ofThisProcess());
    }

    boolean abandoned(SandboxOwner us) {
        return owner.hasEnded(us) && !outlived(us);
    }

    /// Returns whether a process still lives in the sandbox that outlives its Talaria.
    private boolean outlived(SandboxOwner us) {
        return owner.boot().equals(us.boot()) && survivors.stream().anyMatch(one -> one.process.alive());
    }

    SandboxRecord opened(String newName, String newIsolation) {
        Optional<Opened> now = Optional.of(new Opened(newName, newIsolation));
        return new SandboxRecord(id, origin, session, owner, created, Instant.now(), now, survivors);
    }

    SandboxRecord of(String newSession, SandboxOwner newOwner) {
        return new SandboxRecord(id, origin, newSession, newOwner, created, Instant.now(), opened, survivors);
    }

    SandboxRecord withSurvivor(Survivor process) {
        List<Survivor> more = new ArrayList<>(survivors);
        more.removeIf(one -> !one.process.alive());
        more.add(process);
        return new SandboxRecord(id, origin, session, owner, created, Instant.now(), opened, more);
    }
}
