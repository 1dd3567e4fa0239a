package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.HostView;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.admin.SandboxInfo;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sandboxes of an engine: a {@link SandboxSlot} for each session, or one that sessions share. Calls get leases
/// of them. A sandbox is opened once for all calls that wait for it, replaced when it has died, and closed when it
/// was idle for long.
public final class Sandboxes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_ALL_LIMIT = Duration.ofSeconds(15);
    private static final Duration DOWNLOAD_LIMIT = Duration.ofMinutes(11);
    private static final Duration FOREVER = Duration.ofDays(365);
    private static final Duration SWEEP_AGAIN = Duration.ofMinutes(1);

    private static final String ENGINE_CLOSED = "This engine was closed. Build a new one.";
    private static final String SESSION_ENDED =
            "This session was ended while the call was about to use its sandbox. The next call opens another.";

    /// The session's name in the record of a sandbox that no session has claimed yet.
    private static final String WARM = "(warm)";

    private final Backend backend;
    private final String backendName;
    private final Settings settings;
    private final RelayStarter relays;
    private final SandboxContent content;
    private final SandboxRegistry registry;
    private final SandboxKeys keys;
    private final SessionFolders ownFolders;
    private final SandboxCloser closer = new SandboxCloser();
    private final AtomicBoolean reaping = new AtomicBoolean(); // true from the first sandbox on
    private final WarmPool pool;
    private final Map<String, SessionOverride> overrides = new ConcurrentHashMap<>();
    private final Map<String, SandboxSlot> slots = new ConcurrentHashMap<>();
    private final Map<String, SandboxSlot> ending = new ConcurrentHashMap<>(); // of sessions that are being ended
    private final CompletableFuture<Boolean> closing = new CompletableFuture<>();
    private final CompletableFuture<SandboxOwner> owner = new CompletableFuture<>();
    private volatile Predicate<Predicate<String>> processes = _ -> false; // set once by begin()

    /// @param content the files that are uploaded into each sandbox before its first command
    public Sandboxes(Backend backend, Settings settings, RelayStarter relays, SandboxContent content) {
        this.backend = backend;
        this.backendName = backend.name();
        this.settings = settings;
        this.relays = relays;
        this.content = content;
        this.registry = new SandboxRegistry(
                settings.folders(), name -> name.equals(backendName) ? Optional.of(backend) : Backends.find(name));
        this.keys = new SandboxKeys(settings, backend);
        this.ownFolders = new SessionFolders(settings);
        // A sandbox that is opened ahead belongs to no session yet, so it cannot have a session's kept files.
        this.pool = new WarmPool(
                settings.keeps(backend) ? 0 : settings.sandbox().warm(),
                () -> openFresh(backend, settings.backendOptions(), settings.cwd(), WARM, Optional.empty()),
                this::closeLater);
    }

    /// Starts the background work: the sweep of left sandboxes, and the filling of the warm pool.
    ///
    /// @param newProcesses tells whether a background process runs in a session that fits a predicate
    public void begin(Predicate<Predicate<String>> newProcesses) {
        processes = newProcesses;
        Thread.ofPlatform().daemon().name("sandbox-sweep").start(this::sweep);
        pool.fill();
    }

    private void sweep() {
        boolean over = false;
        while (!over && registry.sweep().halfOpen()) {
            over = Waits.until(closing, SWEEP_AGAIN);
        }
    }

    /// Sets what is different about a session's sandbox.
    ///
    /// @throws SandboxException if the session has a sandbox already
    public void override(String session, SessionOverride override) {
        if (closing.isDone()) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, ENGINE_CLOSED);
        }
        if (hasOwn(key(session)) || hasOwn(keys.of(session, override))) {
            throw new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The session '" + session
                            + "' has its sandbox already, so an override would not count. Register it before"
                            + " the session's first call, or end the session with cleanup first.");
        }
        override.backend()
                .filter(name -> !name.equals(backendName) && Backends.find(name).isEmpty())
                .ifPresent(name -> {
                    throw new SandboxException(
                            ErrorCode.BACKEND_UNAVAILABLE,
                            "There is no backend '" + name + "'. Choose one of " + String.join(", ", Backends.names())
                                    + ".");
                });
        overrides.put(session, override);
    }

    private boolean hasOwn(String key) {
        return !keys.isShared(key)
                && Optional.ofNullable(slots.get(key)).flatMap(SandboxSlot::now).isPresent();
    }

    private SessionOverride overrideOf(String session) {
        return overrides.isEmpty() ? SessionOverride.NONE : overrides.getOrDefault(session, SessionOverride.NONE);
    }

    private String key(String session) {
        return keys.of(session, overrideOf(session));
    }

    private SandboxSlot slot(String session) {
        String key = key(session);
        SandboxSlot known = slots.get(key); // faster than computeIfAbsent, and nearly always present
        return known != null
                ? known
                : slots.computeIfAbsent(
                        key,
                        unknown -> new SandboxSlot(
                                unknown,
                                progress -> open(unknown, overrideOf(session), progress),
                                Sandboxes::closePatience));
    }

    /// Returns a lease of the session's sandbox, without a relay. A sandbox is opened if none is open.
    ///
    /// @throws dev.talaria.engine.job.GaveUpException if the opening takes longer than the call can wait
    public SandboxLease acquire(String session, Patience patience) {
        SandboxSlot slot = slot(session);
        if (closing.isDone()) {
            slot.close(ENGINE_CLOSED, patience); // close() may have run before the slot existed
            throw new SandboxException(ErrorCode.SANDBOX_LOST, ENGINE_CLOSED);
        }
        Optional<String> cwd = cwd(session);
        SandboxLease lease = slot.lease(patience);
        return cwd.map(lease::in).orElse(lease);
    }

    /// Returns a lease of the session's sandbox after the session's files were uploaded into it.
    ///
    /// @throws dev.talaria.engine.job.GaveUpException if the upload takes longer than the call can wait
    public SandboxLease enter(String session, Patience patience) {
        return acquire(session, patience).withContent(patience);
    }

    /// Returns the lease of {@link #enter} with the relay, unless there is no Python.
    ///
    /// @throws dev.talaria.engine.job.GaveUpException if the start takes longer than the call can wait
    public SandboxLease enterWithRelay(String session, Patience patience) {
        return acquire(session, patience).withRelay(patience).withContent(patience); // the relay may be in another one
    }

    /// Returns the working folder that was chosen for a session's calls.
    public Optional<String> cwd(String session) {
        return cwd(key(session), overrideOf(session));
    }

    private Optional<String> cwd(String key, SessionOverride override) {
        return override.cwd()
                .or(() -> settings.sandbox().ownFolder()
                        ? ownFolders.of(
                                key, override.backend().flatMap(Backends::find).orElse(backend))
                        : Optional.empty())
                .or(settings::cwd);
    }

    /// Returns the folder that a session's commands have moved to; empty if they have not moved.
    public Optional<String> folder(String session) {
        return slot(session).now().flatMap(OpenSandbox::folder);
    }

    /// Keeps a session's sandbox open until the result is closed.
    ///
    /// @param listener gets the progress of the sandbox's preparation in lines, and empty when the sandbox is
    ///     ready; any thread may call it
    public Use use(String session, Consumer<Optional<String>> listener) {
        SandboxSlot slot = slot(session);
        slot.beginUse(listener);
        return () -> slot.endUse(listener);
    }

    /// Notes that the next call has to check whether the session's sandbox still exists.
    public void suspect(String session) {
        slot(session).now().ifPresent(OpenSandbox::suspect);
    }

    /// The use of a sandbox by one call. Closing it ends the use.
    @FunctionalInterface
    public interface Use extends AutoCloseable {
        @Override
        void close();
    }

    /// Returns the news of a session's sandbox for its next result, and forgets them.
    public Map<String, Object> takeNews(String session) {
        SandboxSlot slot = slot(session);
        Map<String, Object> loss = slot.takeLoss();
        List<String> remarks = slot.now().map(OpenSandbox::takeRemarks).orElse(List.of());
        if (remarks.isEmpty()) {
            return loss;
        }
        Map<String, Object> news = new LinkedHashMap<>(loss);
        news.put("sandbox_remarks", remarks);
        return news;
    }

    private OpenSandbox open(String key, SessionOverride override, Consumer<String> progress) {
        Optional.ofNullable(ending.get(key)).ifPresent(SandboxSlot::awaitClosed);
        boolean plain =
                override.equals(SessionOverride.NONE) && !settings.sandbox().ownFolder();
        OpenSandbox opened = (plain ? pool.claim() : Optional.<OpenSandbox>empty())
                .map(found -> claimed(found, key))
                .orElseGet(() -> openFresh(
                        override.backend().flatMap(Backends::find).orElse(backend),
                        options(override),
                        cwd(key, override),
                        key,
                        Optional.of(progress)));
        if (settings.sandbox().idle().compareTo(FOREVER) < 0 && !reaping.getAndSet(true)) {
            Thread.ofVirtual().name("sandbox-reaper").start(this::reapAlways);
        }
        return opened;
    }

    private OpenSandbox claimed(OpenSandbox found, String key) {
        found.entry().change(record -> record.of(key, record.owner()));
        return found;
    }

    private Map<String, String> options(SessionOverride override) {
        boolean other =
                override.backend().filter(name -> !name.equals(backendName)).isPresent();
        Map<String, String> options = new LinkedHashMap<>(other ? Map.of() : settings.backendOptions());
        options.putAll(override.options());
        return options;
    }

    /// Opens a new sandbox and puts it on record.
    ///
    /// @param progress takes one line at a time, for the calls that wait; absent if the sandbox is opened ahead
    private OpenSandbox openFresh(
            Backend from,
            Map<String, String> options,
            Optional<String> cwd,
            String session,
            Optional<Consumer<String>> progress) {
        SandboxOwner us = us();
        SandboxSpec spec = new SandboxSpec(
                SandboxSpec.newId(),
                Map.of(
                        "talaria.session",
                        session,
                        "talaria.owner",
                        us.label(),
                        "talaria.created",
                        Instant.now().toString()),
                cwd,
                options,
                // A command that would inherit the host's environment sees no more of it than scripts.
                Optional.of(relays.environment()),
                HostView.NONE);
        SandboxRegistry.Entry entry = registry.begin(spec, from, session, us);
        Sandbox sandbox;
        try {
            sandbox = from.open(
                    from.heedsHostView() ? spec.with(relays.views().view(spec)) : spec, progress.orElse(_ -> {}));
        } catch (SandboxException e) {
            notOpened(from, spec, entry, e.passing());
            throw e;
        } catch (RuntimeException | Error e) {
            notOpened(from, spec, entry, false);
            throw e;
        }
        Thread.ofVirtual() // no call waits for the record
                .name("sandbox-record")
                .start(() -> entry.change(record ->
                        record.opened(sandbox.name(), sandbox.isolation().name().toLowerCase(Locale.ROOT))));
        return new OpenSandbox(sandbox, entry, progress.isEmpty(), opened -> relays.start(opened, spec), content);
    }

    /// Removes what a backend has left of a failed opening, now or with the next sweep.
    private void notOpened(Backend from, SandboxSpec spec, SandboxRegistry.Entry entry, boolean nothingWasDone) {
        if (nothingWasDone) {
            entry.drop();
            return;
        }
        closer.begin(() -> {
            try {
                from.remove(spec);
                entry.drop();
            } catch (SandboxException e) {
                LOG.debug("What is left of sandbox {} stays for now", spec.id(), e);
                entry.leave();
            }
        });
    }

    private SandboxOwner us() {
        if (!owner.isDone()) {
            owner.complete(SandboxOwner.ofThisProcess());
        }
        return owner.join();
    }

    private boolean runsProcess(SandboxSlot slot) {
        return processes.test(session -> key(session).equals(slot.key()));
    }

    /// Closes idle sandboxes. It sleeps until the next sandbox may have been idle for too long.
    private void reapAlways() {
        boolean over = false;
        while (!over) {
            over = Waits.until(closing, reap().plusMillis(1)); // at least a millisecond, so that it never spins
        }
    }

    /// Closes the sandboxes that were idle for too long and returns the time until the next may be.
    private Duration reap() {
        Duration limit = settings.sandbox().idle();
        Duration next = limit;
        for (SandboxSlot slot : slots.values()) {
            Duration left = limit.minus(slot.idle());
            if (left.isPositive()) {
                next = left.compareTo(next) < 0 ? left : next;
            } else if (!runsProcess(slot)) {
                slot.takeIdle(limit).ifPresent(this::closeLater);
            }
        }
        return next;
    }

    private void closeLater(OpenSandbox open) {
        closer.begin(() -> open.close(closePatience()));
    }

    /// Returns the open sandboxes. Each is asked for the memory and disk space it uses, which may take a moment.
    public List<SandboxInfo> list() {
        List<CompletableFuture<SandboxInfo>> coming = new ArrayList<>();
        for (SandboxSlot slot : slots.values()) {
            slot.now().ifPresent(open -> {
                boolean busy = slot.busy() || runsProcess(slot);
                coming.add(info(open, slot.key(), slot.idle(), busy));
            });
        }
        for (OpenSandbox open : pool.ready()) {
            Duration age = Duration.between(open.entry().record().created(), Instant.now());
            coming.add(info(open, WARM, age, false));
        }
        return coming.stream().map(CompletableFuture::join).toList();
    }

    private static CompletableFuture<SandboxInfo> info(OpenSandbox open, String session, Duration idle, boolean busy) {
        SandboxRecord record = open.entry().record();
        Sandbox sandbox = open.sandbox();
        // platform: asking may read a client's pipe, which blocks a carrier
        return CompletableFuture.supplyAsync(
                () -> new SandboxInfo(
                        record.id(),
                        session,
                        record.backend(),
                        sandbox.name(),
                        sandbox.isolation(),
                        record.created(),
                        idle,
                        busy,
                        sandbox.usage(),
                        open.warm()),
                work -> Thread.ofPlatform().daemon().name("sandbox-usage").start(work));
    }

    /// Ends a session: closes its sandbox and forgets its override. A sandbox that others share stays.
    public void cleanup(String session) {
        String key = key(session);
        overrides.remove(session);
        ownFolders.forget(session);
        if (!keys.isShared(key)) {
            end(key);
        }
    }

    private void end(String key) {
        // In one step: a call that opens another sandbox finds the old slot or the one that is being ended.
        var _ = slots.computeIfPresent(key, (_, slot) -> {
            ending.put(key, slot);
            return null;
        });
        Optional.ofNullable(ending.get(key)).ifPresent(slot -> {
            slot.close(SESSION_ENDED, closePatience());
            ending.remove(key, slot);
        });
    }

    @Override
    public void close() {
        closing.complete(true);
        pool.close();
        slots.values().forEach(slot -> closer.begin(() -> slot.close(ENGINE_CLOSED, closePatience())));
        closer.await(content.equals(SandboxContent.NONE) ? CLOSE_ALL_LIMIT : DOWNLOAD_LIMIT);
    }

    private static Patience closePatience() {
        return new Patience(Deadline.after(CLOSE_LIMIT), new Cancellation());
    }
}
