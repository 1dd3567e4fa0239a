package dev.talaria.engine.gate;

import dev.talaria.engine.admin.Approval;
import dev.talaria.engine.admin.Approvals;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the approvals that count until they are revoked, in one file that only its owner can read.
/// A change replaces the whole file. It is read again for each use, so that a revocation by another
/// process counts at once.
public final class StoredApprovals implements Approvals {
    private static final Logger LOG = LoggerFactory.getLogger(StoredApprovals.class);
    private static final int LONGEST_EXAMPLE = 200;
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// Excludes other engines of this process: file locks are per process.
    private static final Object CHANGES = new Object();

    private final Path folder;
    private final Path file;

    public StoredApprovals(Folders folders) {
        this.folder = folders.approvals();
        this.file = folder.resolve("approvals.json");
    }

    @Override
    public List<Approval> all() {
        return List.copyOf(stored());
    }

    List<StoredApproval> stored() {
        if (!Files.exists(file)) {
            return List.of(); // quicker than the exception, and the usual case
        }
        try {
            return parse(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | IllegalArgumentException e) {
            throw new UncheckedIOException(
                    "The approvals in " + file + " cannot be read, so none of them counts (" + e.getMessage()
                            + "). Mend the file, or start anew with 'talaria approvals clear'.",
                    e instanceof IOException io ? io : new IOException(e));
        }
    }

    /// Returns all grants. A file that cannot be read allows nothing: then people are asked again.
    Set<Grant> grants() {
        try {
            return stored().stream().map(StoredApproval::grant).collect(Collectors.toSet());
        } catch (UncheckedIOException e) {
            LOG.warn("{}", e.getMessage());
            return Set.of();
        }
    }

    void add(List<Grant> grants, String example, String by, Instant at) {
        change(before -> {
            List<StoredApproval> after = new ArrayList<>(before);
            for (Grant grant : grants) {
                if (before.stream().noneMatch(known -> known.grant().equals(grant))) {
                    String id = UUID.randomUUID().toString().substring(0, 8);
                    String cut = example.substring(0, Math.min(LONGEST_EXAMPLE, example.length()));
                    after.add(new StoredApproval(id, grant, cut, by, at));
                }
            }
            return after;
        });
    }

    @Override
    public Optional<Approval> revoke(String id) {
        List<StoredApproval> gone = new ArrayList<>();
        change(before -> {
            gone.addAll(before.stream().filter(one -> one.id().startsWith(id)).toList());
            return gone.size() == 1
                    ? before.stream().filter(one -> !gone.contains(one)).toList()
                    : before;
        });
        return gone.size() == 1 ? Optional.of(gone.getFirst()) : Optional.empty();
    }

    @Override
    public int clear() {
        int count = grants().size();
        locked(() -> replace(List.of()));
        return count;
    }

    /// Changes the file. A file that cannot be read stays as it is.
    private void change(UnaryOperator<List<StoredApproval>> change) {
        locked(() -> {
            List<StoredApproval> before = stored();
            List<StoredApproval> after = change.apply(before);
            if (!after.equals(before)) {
                replace(after);
            }
        });
    }

    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    private void locked(Change change) {
        synchronized (CHANGES) {
            try {
                Folders.create(folder);
                try (FileChannel channel = FileChannel.open(
                                folder.resolve("approvals.lock"),
                                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                                OWNER_ONLY);
                        FileLock _ = channel.lock()) {
                    change.make();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("The approvals in " + file + " cannot be changed.", e);
            }
        }
    }

    private void replace(List<StoredApproval> approvals) throws IOException {
        StateFile.write(
                file,
                Map.of("approvals", approvals.stream().map(StoredApproval::json).toList()));
    }

    private static List<StoredApproval> parse(byte[] json) {
        if (!(Json.object(json).get("approvals") instanceof List<?> items)) {
            throw new IllegalArgumentException("there is no list of approvals in it");
        }
        return items.stream().map(StoredApprovals::approval).toList();
    }

    private static StoredApproval approval(Object item) {
        if (!(item instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("an approval is no object");
        }
        try {
            return new StoredApproval(
                    Grant.text(fields, "id"),
                    Grant.of(fields),
                    Grant.text(fields, "example"),
                    Grant.text(fields, "by"),
                    Instant.parse(Grant.text(fields, "at")));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("an approval has a time that cannot be read", e);
        }
    }
}
