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

    /// How long the client of a killed Talaria may go on making what nobody wants any more.
    private static final Duration LONGEST_OPENING = Duration.ofMinutes(10);

    private final Folders folders;
    private final Function<String, Optional<Backend>> backends;

    /// @param backends finds a backend by its name
    public SandboxRegistry(Folders folders, Function<String, Optional<Backend>> backends) {
        this.folders = folders;
        this.backends = backends;
    }

    /// The record of one sandbox of ours. Safe for use by many threads.
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

        /// Takes it off the record: there is nothing left of it.
        synchronized void drop() {
            dropped = true;
            forget(record);
        }

        /// Leaves it to the next sweep.
        void leave() {
            change(now -> now.of(now.session(), now.owner().gone()));
        }
    }

    /// Puts a sandbox on record that is about to be opened. That of a backend with nothing to remove is on record only
    /// to be shown, which can wait until it is open.
    Entry begin(SandboxSpec spec, Backend backend, String session, SandboxOwner owner) {
        Instant now = Instant.now();
        Map<String, String> options = new HashMap<>(spec.options());
        options.remove("env"); // variables for commands may hold secrets, and nothing is removed by them
        SandboxRecord record = new SandboxRecord(
                spec.id(),
                backend.name(),
                options,
                spec.cwd(),
                session,
                owner,
                now,
                now,
                Optional.empty(),
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
            spills.deleteEmpty(Path.of(record.id())); // what it printed can be read for a while
        } catch (IOException e) {
            LOG.trace("No spills", e);
        }
    }

    /// What a sweep did.
    ///
    /// @param removed what it took away
    /// @param left what it could not take away, each with the reason
    /// @param halfOpen whether something may still appear that a killed Talaria had asked for
    public record Swept(List<ListedSandbox> removed, List<PruneResult.RemainingSandbox> left, boolean halfOpen) {}

    /// Takes away what killed Talarias left. What is away now stays on record for the next time.
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
            return swept; // another engine of this JVM does it
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
            List<Object> where = List.of(record.backend(), record.options());
            try {
                if (away.contains(where)) {
                    left.add(new PruneResult.RemainingSandbox(record, "its backend is away"));
                    continue;
                }
                removeOutside(record);
                removed.add(record);
                // A client that was asked to make it may not be through yet: it is looked for once more.
                boolean settled = record.opened()
                        || record.leased().isBefore(Instant.now().minus(LONGEST_OPENING));
                if (settled) {
                    forget(record);
                }
                halfOpen |= !settled;
            } catch (RuntimeException e) { // whatever a backend throws must not keep us from the others
                LOG.info("Sandbox {} of a killed Talaria stays for now: {}", record.id(), e.getMessage());
                if (e instanceof SandboxException problem && problem.passing()) {
                    away.add(where);
                }
                left.add(new PruneResult.RemainingSandbox(record, String.valueOf(e.getMessage())));
            }
        }
        return new Swept(removed, left, halfOpen);
    }

    /// Takes a sandbox away, whoever has it.
    ///
    /// @throws SandboxException if it may still be there
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
