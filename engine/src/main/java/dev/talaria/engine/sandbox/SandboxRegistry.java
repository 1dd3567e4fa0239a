package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.OwnFolder;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.admin.ListedSandbox;
import dev.talaria.engine.admin.PruneResult;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.util.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The records of all sandboxes of this user's Talarias. See decision 7.
public final class SandboxRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxRegistry.class);

    /// How long the client of a killed Talaria may still be opening a sandbox.
    private static final Duration LONGEST_OPENING = Duration.ofMinutes(10);

    private final Folders folders;
    private final Function<String, Optional<Backend>> backends;

    /// @param backends finds a backend by its name
    public SandboxRegistry(Folders folders, Function<String, Optional<Backend>> backends) {
        this.folders = folders;
        this.backends = backends;
    }

    /// The record of one sandbox of this engine. Many threads can use it.
    final class Entry {
        private SandboxRecord record; // this and below: guarded by this
        private boolean dropped;

        private Entry(SandboxRecord record) {
            this.record = record;
        }

        synchronized SandboxRecord record() {
            return record;
        }

        synchronized void change(UnaryOperator<SandboxRecord> change) {
            if (!dropped) {
                record = change.apply(record);
                write(record);
            }
        }

        /// Removes the record, since nothing is left of the sandbox.
        synchronized void drop() {
            dropped = true;
            forget(record);
        }

        /// Leaves the sandbox to the next sweep.
        void leave() {
            change(now -> now.of(now.session(), now.owner().gone()));
        }
    }

    /// Puts a sandbox on record before it is opened. If its backend leaves nothing to remove, the record only
    /// serves to list the sandbox, and is written when the sandbox is open.
    Entry begin(SandboxSpec spec, Backend backend, String session, SandboxOwner owner) {
        Instant now = Instant.now();
        Map<String, String> options = new HashMap<>(spec.options());
        options.remove("env"); // variables may hold secrets, and removing a sandbox does not need them
        SandboxRecord record = new SandboxRecord(
                spec.id(),
                new SandboxRecord.Origin(backend.name(), options, spec.cwd()),
                session,
                owner,
                now,
                now,
                Optional.empty(),
                List.of());
        if (backend.leavesThings()) {
            write(record);
        }
        return new Entry(record);
    }

    private void write(SandboxRecord record) {
        try {
            record.write(folders);
        } catch (IOException e) {
            LOG.warn(
                    "Sandbox {} is not on record ({}): should Talaria be killed, it has to be removed by hand."
                            + " Make {} writable.",
                    record.id(),
                    Reason.of(e),
                    folders.sandboxes());
        }
    }

    private void forget(SandboxRecord record) {
        Path file = SandboxRecord.file(folders, record.id());
        try (OwnFolder records = OwnFolder.open(folders.sandboxes())) {
            records.delete(file.getFileName());
        } catch (NoSuchFileException e) {
            LOG.trace("No records", e);
        } catch (IOException e) {
            LOG.warn("The record of sandbox {} stays: {}", record.id(), e.toString());
        }
        try (OwnFolder spills = OwnFolder.open(folders.spills())) {
            spills.deleteEmpty(Path.of(record.id())); // spill files with its output stay for a while
        } catch (IOException e) {
            LOG.trace("No spills", e);
        }
    }

    /// The result of a sweep.
    ///
    /// @param removed the sandboxes that were removed
    /// @param left the sandboxes that could not be removed, each with the reason
    /// @param halfOpen whether a killed Talaria's client may still be opening a sandbox
    public record Swept(List<ListedSandbox> removed, List<PruneResult.RemainingSandbox> left, boolean halfOpen) {}

    /// Removes the sandboxes that killed Talarias left. A sandbox that cannot be reached stays on record for the
    /// next sweep.
    public Swept sweep() {
        Swept swept = new Swept(List.of(), List.of(), false);
        List<SandboxRecord> all = SandboxRecord.all(folders);
        if (all.isEmpty()) {
            return swept;
        }
        SandboxOwner us = SandboxOwner.ofThisProcess();
        if (all.stream().noneMatch(one -> one.abandoned(us))) {
            return swept; // nearly always
        }
        Path guard = folders.sandboxes().resolve("sweep.lock");
        try (FileChannel file = OwnerOnly.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.tryLock()) {
            return lock == null ? swept : sweep(us);
        } catch (OverlappingFileLockException e) {
            return swept; // another engine of this JVM sweeps
        } catch (IOException e) {
            LOG.warn("What killed Talarias left cannot be removed: {}", Reason.of(e));
            return swept;
        }
    }

    private Swept sweep(SandboxOwner us) {
        List<ListedSandbox> removed = new ArrayList<>();
        List<PruneResult.RemainingSandbox> left = new ArrayList<>();
        Set<Object> away = new HashSet<>();
        boolean halfOpen = false;
        for (SandboxRecord record : SandboxRecord.all(folders)) {
            if (!record.abandoned(us)) {
                continue;
            }
            List<Object> where = List.of(record.backend(), record.origin().options());
            try {
                if (away.contains(where)) {
                    left.add(new PruneResult.RemainingSandbox(record, "its backend is away"));
                    continue;
                }
                removeOutside(record);
                removed.add(record);
                // The client of a killed Talaria may still be opening the sandbox, so a later sweep looks again.
                boolean settled = record.opened().isPresent()
                        || record.leased().isBefore(Instant.now().minus(LONGEST_OPENING));
                if (settled) {
                    forget(record);
                }
                halfOpen |= !settled;
            } catch (RuntimeException e) { // whatever a backend throws, the sweep goes on
                LOG.info("Sandbox {} of a killed Talaria stays for now: {}", record.id(), e.getMessage());
                if (e instanceof SandboxException problem && problem.passing()) {
                    away.add(where);
                }
                left.add(new PruneResult.RemainingSandbox(record, String.valueOf(e.getMessage())));
            }
        }
        return new Swept(removed, left, halfOpen);
    }

    /// Removes a sandbox, whichever Talaria has it.
    ///
    /// @throws SandboxException if the sandbox may still exist
    public void remove(SandboxRecord record) {
        removeOutside(record);
        forget(record);
    }

    private void removeOutside(SandboxRecord record) {
        backends.apply(record.backend())
                .orElseThrow(() -> new SandboxException(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "There is no backend '" + record.backend() + "' here any more to remove it with."))
                .remove(record.spec());
    }
}
