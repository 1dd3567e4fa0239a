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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A sandbox as it is on record on disk, from before it is opened until it is closed: whoever finds the record of a
/// Talaria that was killed can take away what that one had made.
///
/// @param backend who opened it
/// @param options what that backend needs to find it again
/// @param session whose it is
/// @param owner the Talaria that has it open
/// @param leased when its owner last said something about it
/// @param name how messages call it; absent until it is open
/// @param isolation what it keeps out; absent until it is open
/// @param survivors processes in it that outlive their Talaria: as long as one lives, it is not taken away
public record SandboxRecord(
        String id,
        String backend,
        Map<String, String> options,
        Optional<String> cwd,
        String session,
        SandboxOwner owner,
        Instant created,
        Instant leased,
        Optional<String> name,
        Optional<String> isolation,
        List<Survivor> survivors)
        implements ListedSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxRecord.class);
    private static final String SUFFIX = ".json";

    /// A process that outlives its Talaria.
    public record Survivor(String id, Identity process) {}

    public SandboxRecord {
        options = Map.copyOf(options);
        survivors = List.copyOf(survivors);
    }

    /// Returns all sandboxes that are on record, oldest first.
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
            if (!file.endsWith(json.get("id") + SUFFIX)) { // names are made of it
                throw new IOException("it says that it is '" + json.get("id") + "'");
            }
            Map<String, String> options = new LinkedHashMap<>();
            map(json.get("options")).forEach((key, value) -> options.put(String.valueOf(key), String.valueOf(value)));
            List<Survivor> survivors = new ArrayList<>();
            if (json.get("survivors") instanceof List<?> list) {
                list.forEach(one -> survivors.add(new Survivor(
                        String.valueOf(map(one).get("id")),
                        Identity.of(map(one), "pid", "start").orElseThrow())));
            }
            return Optional.of(new SandboxRecord(
                    String.valueOf(json.get("id")),
                    String.valueOf(json.get("backend")),
                    options,
                    JsonFields.text(json, "cwd"),
                    String.valueOf(json.get("session")),
                    SandboxOwner.of(map(json.get("owner"))),
                    Instant.parse(String.valueOf(json.get("created"))),
                    Instant.parse(String.valueOf(json.get("leased"))),
                    JsonFields.text(json, "name"),
                    JsonFields.text(json, "isolation"),
                    survivors));
        } catch (IOException | RuntimeException e) {
            LOG.debug("No sandbox is described in {}", file, e); // it is just being closed, as a rule
            return Optional.empty();
        }
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    void write(Folders folders) throws IOException {
        Folders.create(folders.sandboxes());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("backend", backend);
        json.put("options", options);
        cwd.ifPresent(folder -> json.put("cwd", folder));
        json.put("session", session);
        json.put("owner", owner.json());
        json.put("created", created.toString());
        json.put("leased", leased.toString());
        name.ifPresent(text -> json.put("name", text));
        isolation.ifPresent(text -> json.put("isolation", text));
        json.put(
                "survivors",
                survivors.stream()
                        .map(one -> Map.of("id", one.id, "pid", one.process.pid(), "start", one.process.start()))
                        .toList());
        StateFile.write(file(folders, id), json);
    }

    /// Returns what its backend needs to find it again.
    SandboxSpec spec() {
        return new SandboxSpec(id, Map.of("talaria.session", session), cwd, options, Optional.empty(), HostView.NONE);
    }

    /// Returns whether it was open, as far as anybody could write down.
    boolean opened() {
        return name.isPresent();
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

    /// Returns whether a process lives in it that outlives its Talaria.
    private boolean outlived(SandboxOwner us) {
        return owner.boot().equals(us.boot()) && survivors.stream().anyMatch(one -> one.process.alive());
    }

    SandboxRecord opened(String newName, String newIsolation) {
        Optional<String> named = Optional.of(newName);
        Optional<String> isolated = Optional.of(newIsolation);
        return new SandboxRecord(
                id, backend, options, cwd, session, owner, created, Instant.now(), named, isolated, survivors);
    }

    SandboxRecord of(String newSession, SandboxOwner newOwner) {
        return new SandboxRecord(
                id, backend, options, cwd, newSession, newOwner, created, Instant.now(), name, isolation, survivors);
    }

    SandboxRecord withSurvivor(Survivor process) {
        List<Survivor> more = new ArrayList<>(survivors);
        more.removeIf(one -> !one.process.alive());
        more.add(process);
        return new SandboxRecord(
                id, backend, options, cwd, session, owner, created, Instant.now(), name, isolation, more);
    }
}
