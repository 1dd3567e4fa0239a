package dev.talaria.engine.process;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.RandomBytes;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.decide.Typed;
import dev.talaria.engine.start.JobSpec;
import dev.talaria.engine.start.Launcher;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.terminal.CommandMode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The background processes of an engine. Each belongs to the session that started it.
public final class ProcessRegistry implements AutoCloseable {
    static final int MOST = 64;
    private static final Duration KEPT_AFTER_END = Duration.ofMinutes(30);
    private static final String PREFIX = "proc_";
    private static final Pattern SHORT_ID = Pattern.compile("[0-9a-f]{4,12}");

    private static final Logger LOG = LoggerFactory.getLogger(ProcessRegistry.class);

    private final Folders folders;
    private final ProcessFolder folder;
    private final Guardian guardian;
    private final Map<String, Kept> keptOnes = new HashMap<>(); // guarded by this
    private final Redactor redactor;
    private final Notices notices;
    private final Telling telling;
    private final Map<String, BackgroundProcess> all = new LinkedHashMap<>(); // guarded by this, oldest first

    public ProcessRegistry(Folders folders, Redactor redactor, Notices notices) {
        this.folders = folders;
        this.folder = new ProcessFolder(folders);
        this.guardian = new Guardian(folders, redactor);
        this.redactor = redactor;
        this.notices = notices;
        this.telling = new Telling(notices, redactor, System::nanoTime);
    }

    static String freshId() {
        return PREFIX + RandomBytes.hex(6);
    }

    /// Starts a process with a launcher; it ends with the launcher's sandbox.
    BackgroundProcess start(BackgroundProcess.Origin origin, JobSpec.Background spec, Launcher launcher) {
        LogFile log = new LogFile(folder.log(origin.id()));
        CompletableFuture<BackgroundProcess> itself = new CompletableFuture<>();
        Redactor.Mode mode = CommandMode.of(origin.command());
        ProcessOutput output = new ProcessOutput(
                new RollingOutput(redactor, mode), Optional.of(log), watch(origin.flags(), mode, itself));
        reserve();
        BackgroundProcess process = new BackgroundProcess(origin, output, log.log(), launcher.start(spec, output));
        itself.complete(process);
        return track(process);
    }

    /// Starts a process that outlives this engine.
    BackgroundProcess keep(
            BackgroundProcess.Origin origin,
            JobSpec.Background spec,
            Sandbox sandbox,
            String python,
            Patience patience) {
        reserve();
        return show(guardian.start(origin, spec, sandbox, python, patience), origin);
    }

    private BackgroundProcess show(Kept kept, BackgroundProcess.Origin origin) {
        CompletableFuture<BackgroundProcess> itself = new CompletableFuture<>();
        Redactor.Mode mode = CommandMode.of(origin.command());
        ProcessOutput output = new ProcessOutput(
                new RollingOutput(redactor, mode), Optional.empty(), watch(origin.flags(), mode, itself));
        BackgroundProcess process = new BackgroundProcess(origin, output, kept.log(), GuardedJob.connect(kept, output));
        itself.complete(process);
        synchronized (this) {
            keptOnes.put(kept.id(), kept);
        }
        return track(process);
    }

    /// Finds the processes again that outlived another engine. Those of one that still runs are its own.
    public void adopt() {
        for (Kept kept : Kept.all(folders)) {
            if (kept.owner().alive()) {
                continue;
            }
            try {
                Kept mine = kept.ownedBy(Identity.ofThisProcess());
                mine.write();
                show(mine, origin(mine));
            } catch (IOException e) {
                LOG.warn("Process {} was found again and cannot be taken over: {}", kept.id(), e.getMessage());
            }
        }
    }

    private static BackgroundProcess.Origin origin(Kept kept) {
        ToolCall call =
                ToolCall.of(new Caller("process", kept.session()), "terminal", Map.of("command", kept.command()));
        Flags flags = new Flags(kept.pty(), kept.tells(), List.of(), Optional.empty(), true, Map.of());
        return new BackgroundProcess.Origin(kept.id(), call, kept.command(), kept.cwd(), kept.started(), flags, true);
    }

    private synchronized BackgroundProcess track(BackgroundProcess process) {
        all.put(process.id(), process);
        telling.follow(process);
        return process;
    }

    private Optional<Watch> watch(Flags flags, Redactor.Mode mode, CompletableFuture<BackgroundProcess> itself) {
        if (flags.watch().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Watch(flags.watch(), redactor, mode, System::nanoTime, new Watch.Listener() {
            @Override
            public void matched(String pattern, String lines, int suppressed) {
                var _ = itself.thenAccept(process -> telling.matched(process, pattern, lines, suppressed));
            }

            @Override
            public void disabled(int suppressed, String why) {
                var _ = itself.thenAccept(process -> telling.disabled(process, suppressed, why));
            }
        }));
    }

    /// Makes room for one more: the oldest that have ended go first.
    private synchronized void reserve() {
        Instant longAgo = Instant.now().minus(KEPT_AFTER_END);
        List<BackgroundProcess> over = all.values().stream()
                .filter(process -> !process.running())
                .sorted(Comparator.comparing(
                        process -> process.end().orElseThrow().at()))
                .toList();
        for (BackgroundProcess process : over) {
            if (all.size() >= MOST || process.end().orElseThrow().at().isBefore(longAgo)) {
                forget(process);
            }
        }
        if (all.size() >= MOST) {
            throw new SandboxException(
                    ErrorCode.INVALID_ARGUMENT,
                    MOST + " background processes run already, and there can be no more. List them with"
                            + " process(action=\"list\") and kill one that is not needed.");
        }
    }

    private void forget(BackgroundProcess process) {
        all.remove(process.id());
        folder.remove(process.id());
        Optional.ofNullable(keptOnes.remove(process.id())).ifPresent(Kept::delete);
    }

    /// Returns a session's process by its id or the beginning of one, if only one begins like that.
    synchronized Optional<BackgroundProcess> find(String session, String id) {
        String tail = id.startsWith(PREFIX) ? id.substring(PREFIX.length()) : id;
        if (!SHORT_ID.matcher(tail).matches()) {
            return Optional.empty();
        }
        List<BackgroundProcess> found = all.values().stream()
                .filter(process -> belongs(process, session) && process.id().startsWith(PREFIX + tail))
                .limit(2)
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /// Returns what a session's process would have before it with this typed, too.
    public Optional<Typed> typed(String session, String id, String data) {
        return find(session, id)
                .map(process ->
                        new Typed(process.origin().command(), process.input().with(data)));
    }

    /// Returns a session's processes, oldest first.
    synchronized List<BackgroundProcess> of(String session) {
        return all.values().stream()
                .filter(process -> belongs(process, session))
                .toList();
    }

    /// One that was found again is everybody's: the session that started it may never come back under its name.
    private static boolean belongs(BackgroundProcess process, String session) {
        return process.origin().detached() || process.origin().session().equals(session);
    }

    /// Returns whether a session has a process that still runs: its sandbox is not to be closed.
    public boolean busy(String session) {
        return of(session).stream().anyMatch(BackgroundProcess::running);
    }

    /// Notes that a session has seen how its process ended.
    void seen(BackgroundProcess process) {
        notices.forget(process.origin().session(), process.id());
    }

    /// Leaves a process to the next engine that comes.
    private static void offer(Kept kept) {
        try {
            kept.ownedBy(Identity.NOBODY).write();
        } catch (IOException e) {
            LOG.debug("Process {} stays ours until this JVM ends", kept.id(), e);
        }
    }

    /// Forgets all. Those that end with their sandbox are about to; the others go on.
    @Override
    public synchronized void close() {
        all.values().forEach(BackgroundProcess::release);
        keptOnes.values().forEach(ProcessRegistry::offer);
        all.clear();
        folder.close();
    }
}
