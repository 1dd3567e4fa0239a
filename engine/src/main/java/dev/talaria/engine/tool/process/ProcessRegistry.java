package dev.talaria.engine.tool.process;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.NoticePolicy;
import dev.talaria.engine.gate.TypedInput;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.shell.CommandMasking;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.OwnerOnly;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
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
    private final GuardianStarter guardians;
    private final Map<String, SurvivingProcess> surviving = new HashMap<>(); // guarded by this
    private final Redactor redactor;
    private final Notices notices;
    private final NoticeSender sender;
    private final ProcessPublisher publisher;
    private final Map<String, BackgroundProcess> all = new LinkedHashMap<>(); // guarded by this, oldest first

    public ProcessRegistry(Folders folders, Redactor redactor, Notices notices) {
        this.folders = folders;
        this.folder = new ProcessFolder(folders);
        this.guardians = new GuardianStarter(folders, redactor);
        this.redactor = redactor;
        this.notices = notices;
        this.sender = new NoticeSender(notices, redactor, System::nanoTime);
        this.publisher = new ProcessPublisher(redactor, this::running);
    }

    /// Returns which notices sessions get at all.
    NoticePolicy policy() {
        return notices.policy();
    }

    static String freshId() {
        return PREFIX + RandomBytes.hex(6);
    }

    /// Starts a process with a launcher. The process ends with the launcher's sandbox.
    BackgroundProcess start(BackgroundProcess.Origin origin, JobSpec.Background spec, Launcher launcher) {
        ProcessLog log = new ProcessLog(folder.log(origin.id()));
        reserve();
        return begin(
                origin,
                log,
                Optional.of(new LogFile(log.file())),
                NoticeState.nothing(),
                output -> launcher.start(spec, output));
    }

    private BackgroundProcess begin(
            BackgroundProcess.Origin origin,
            ProcessLog log,
            Optional<LogFile> written,
            NoticeState told,
            Function<ProcessOutput, Job> starter) {
        CompletableFuture<BackgroundProcess> itself = new CompletableFuture<>();
        Redactor.Mode mode = CommandMasking.of(origin.command());
        ProcessOutput output = new ProcessOutput(
                new RollingOutput(redactor, mode), log, written, watch(origin.flags(), told, mode, itself));
        BackgroundProcess process = new BackgroundProcess(origin, output, starter.apply(output), told);
        itself.complete(process);
        return track(process);
    }

    /// Returns the output of a job that may become a process later.
    ProcessOutput output(String id, String command) {
        ProcessLog log = new ProcessLog(folder.log(id));
        return new ProcessOutput(
                new RollingOutput(redactor, CommandMasking.of(command)),
                log,
                Optional.of(new LogFile(log.file())),
                Optional.empty());
    }

    /// Makes a process of a running job.
    ///
    /// @throws SandboxException if there are too many processes
    BackgroundProcess take(BackgroundProcess.Origin origin, ProcessOutput output, Job job) {
        reserve();
        return track(new BackgroundProcess(origin, output, job, NoticeState.nothing()));
    }

    /// Starts a surviving process.
    BackgroundProcess startSurviving(
            BackgroundProcess.Origin origin,
            JobSpec.Background spec,
            SandboxLease lease,
            Relay relay,
            Patience patience) {
        reserve();
        SurvivingProcess process = guardians.start(origin, spec, lease.sandbox(), relay, patience);
        lease.addSurvivor(process.id(), process.running().process());
        return show(process, origin);
    }

    private BackgroundProcess show(SurvivingProcess process, BackgroundProcess.Origin origin) {
        synchronized (this) {
            surviving.put(process.id(), process);
        }
        return begin(
                origin,
                process.log(),
                Optional.empty(),
                NoticeState.in(process.folder()),
                output -> SurvivingJob.connect(process, output, output::at));
    }

    /// Takes over the surviving processes of engines that have ended. A running engine keeps its own.
    public void adopt() {
        Thread.ofVirtual().name("process-sweep").start(folder::sweep);
        if (SurvivingProcess.all(folders).stream()
                .allMatch(process -> process.owner().alive())) {
            return; // the usual case
        }
        Path guard = folders.processes().resolve("adopt.lock");
        try (FileChannel file = OwnerOnly.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) { // of two engines that start at once, one gets a process
            SurvivingProcess.all(folders).stream()
                    .filter(process -> !process.owner().alive())
                    .forEach(this::adopt);
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another engine of this JVM takes them over");
        } catch (IOException e) {
            LOG.warn("Processes were found again and cannot be taken over: {}", e.getMessage());
        }
    }

    private void adopt(SurvivingProcess process) {
        try {
            SurvivingProcess mine = process.ownedBy(Identity.ofThisProcess());
            mine.write();
            show(mine, origin(mine));
        } catch (IOException e) {
            LOG.warn("Process {} was found again and cannot be taken over: {}", process.id(), e.getMessage());
        }
    }

    private static BackgroundProcess.Origin origin(SurvivingProcess process) {
        ToolCall call =
                ToolCall.of(new Caller("process", process.session()), "terminal", Map.of("command", process.command()));
        return new BackgroundProcess.Origin(
                process.id(), call, process.command(), process.cwd(), process.started(), process.flags(), true);
    }

    private synchronized BackgroundProcess track(BackgroundProcess process) {
        all.put(process.id(), process);
        sender.follow(process);
        if (!surviving.containsKey(process.id())) {
            publisher.show(process, folder.path());
        }
        return process;
    }

    private Optional<OutputWatch> watch(
            BackgroundFlags flags, NoticeState told, Redactor.Mode mode, CompletableFuture<BackgroundProcess> itself) {
        if (flags.watch().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new OutputWatch(
                flags.watch(), told, redactor, mode, System::nanoTime, new OutputWatch.Listener() {
                    @Override
                    public void matched(String pattern, String lines, int suppressed, long position) {
                        var _ = itself.thenAccept(
                                process -> sender.matched(process, pattern, lines, suppressed, position));
                    }

                    @Override
                    public void disabled(int suppressed, String why) {
                        var _ = itself.thenAccept(process -> sender.disabled(process, suppressed, why));
                    }

                    @Override
                    public void over(int suppressed) {
                        var _ = itself.thenAccept(process -> sender.unwatched(process, suppressed));
                    }
                }));
    }

    /// Makes room for one more process: the oldest ended processes go first.
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
        Optional.ofNullable(surviving.remove(process.id())).ifPresent(SurvivingProcess::delete);
    }

    /// Returns a session's process by its id, or by the beginning of its id if no other id begins like that.
    Optional<BackgroundProcess> find(String session, String id) {
        List<BackgroundProcess> found = matching(session, id);
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    private synchronized Optional<BackgroundProcess> running(String id) {
        return Optional.ofNullable(all.get(id)).filter(BackgroundProcess::running);
    }

    /// Returns a session's processes whose ids begin like that.
    synchronized List<BackgroundProcess> matching(String session, String id) {
        String tail = id.startsWith(PREFIX) ? id.substring(PREFIX.length()) : id;
        return SHORT_ID.matcher(tail).matches()
                ? all.values().stream()
                        .filter(process ->
                                belongs(process, session) && process.id().startsWith(PREFIX + tail))
                        .toList()
                : List.of();
    }

    /// Returns the process's earlier input together with this text, for the gate.
    public Optional<TypedInput> typed(ToolCall call, String id, String data) {
        return find(call.caller().session(), id)
                .map(process -> process.input().with(call, process.origin().command(), process.pty(), data));
    }

    /// Returns a session's processes, oldest first.
    synchronized List<BackgroundProcess> of(String session) {
        return all.values().stream()
                .filter(process -> belongs(process, session))
                .toList();
    }

    /// Returns whether a session may use a process. Any session may use one that was found again: its own may
    /// never return.
    private static boolean belongs(BackgroundProcess process, String session) {
        return process.origin().foundAgain() || process.origin().session().equals(session);
    }

    /// Returns whether a session has a running process, so that its sandbox must stay open.
    public boolean busy(String session) {
        return of(session).stream().anyMatch(BackgroundProcess::running);
    }

    /// Returns whether one of these sessions has a running process that ends with its sandbox.
    public synchronized boolean runs(Predicate<String> sessions) {
        return all.values().stream()
                .anyMatch(process -> process.running()
                        && !process.origin().foundAgain()
                        && sessions.test(process.origin().session()));
    }

    /// Asks all processes of a session to end, except for surviving ones.
    public void endAll(String session) {
        of(session).stream()
                .filter(process -> process.running() && !survives(process))
                .forEach(this::kill);
    }

    private synchronized boolean survives(BackgroundProcess process) {
        return surviving.containsKey(process.id());
    }

    /// Waits for the end of a process. The caller gets no notice of that end as well.
    ProcessEnd await(BackgroundProcess process, Patience patience) {
        process.told().expect();
        try {
            ProcessEnd how = patience.await(process.ended());
            seen(process);
            return how;
        } finally {
            process.told().expectNoMore();
            sender.end(process); // the process may have ended just after the wait
        }
    }

    /// Asks a process to end on behalf of its session. The session gets no notice of an end that it asked for.
    void kill(BackgroundProcess process) {
        seen(process);
        process.kill("process.kill");
    }

    /// Notes that a session has seen how its process ended.
    void seen(BackgroundProcess process) {
        process.told().ended();
        notices.forget(process.origin().session(), process.id());
    }

    /// Leaves a process to the next engine that starts.
    private static void offer(SurvivingProcess process) {
        try {
            process.ownedBy(Identity.NOBODY).write();
        } catch (IOException e) {
            LOG.debug("Process {} stays ours until this JVM ends", process.id(), e);
        }
    }

    /// Forgets all processes. Surviving ones go on; the others are about to end with their sandboxes.
    @Override
    public synchronized void close() {
        all.values().forEach(BackgroundProcess::release);
        surviving.values().forEach(ProcessRegistry::offer);
        all.clear();
        publisher.close();
        folder.close();
    }
}
