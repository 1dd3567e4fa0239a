package dev.talaria.engine;

import dev.talaria.api.Approver;
import dev.talaria.api.Backend;
import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.Gate;
import dev.talaria.api.PasswordPrompt;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.admin.Admin;
import dev.talaria.engine.admin.Copies;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.admin.SandboxInfo;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.audit.AuditLog;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.OutputSettings;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.copy.FolderSync;
import dev.talaria.engine.copy.SandboxCopies;
import dev.talaria.engine.gate.Approvers;
import dev.talaria.engine.gate.RuleGate;
import dev.talaria.engine.gate.StoredQuestions;
import dev.talaria.engine.job.Orphans;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.output.KnownSecrets;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.ResultCleaner;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.output.SpillLimits;
import dev.talaria.engine.output.Spills;
import dev.talaria.engine.sandbox.HostViews;
import dev.talaria.engine.sandbox.Pythons;
import dev.talaria.engine.sandbox.RelayStarter;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.shell.CommandSetup;
import dev.talaria.engine.shell.Shell;
import dev.talaria.engine.sudo.SudoPasswords;
import dev.talaria.engine.tool.files.HeldFiles;
import dev.talaria.engine.tool.files.HostFolders;
import dev.talaria.engine.tool.files.ReadFileTool;
import dev.talaria.engine.tool.files.WriteFileTool;
import dev.talaria.engine.tool.process.BackgroundTerminal;
import dev.talaria.engine.tool.process.Notices;
import dev.talaria.engine.tool.process.ProcessRegistry;
import dev.talaria.engine.tool.process.ProcessTool;
import dev.talaria.engine.tool.script.ExecuteCodeTool;
import dev.talaria.engine.tool.terminal.TerminalTool;
import dev.talaria.engine.toolcalls.ToolCallServer;
import dev.talaria.engine.util.LiveFolder;
import dev.talaria.engine.util.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the tool calls of a model in sandboxes, above all `execute_code`.
///
/// ```java
/// try (var engine = Engine.builder().build()) {
///     ToolResult result = engine.call(ToolCall.of("execute_code", Map.of("code", "print(6 * 7)")));
///     System.out.println(result.value().get("output"));
/// }
/// ```
///
/// Many threads can use one engine. Closing it ends everything that it started.
public final class Engine implements AutoCloseable {
    /// The name of the tool that runs a script.
    public static final String EXECUTE_CODE = ExecuteCodeTool.NAME;

    /// The name of the tool that runs a command line.
    public static final String TERMINAL = TerminalTool.NAME;

    /// The tools that every engine has. A new one is one line here, and a package of its own.
    static final List<BuiltIn> BUILT_IN = List.of(
            new BuiltIn(EXECUTE_CODE, engine -> engine.executeCode),
            new BuiltIn(TERMINAL, Engine::terminal),
            new BuiltIn(
                    ProcessTool.NAME,
                    engine -> new ProcessTool(engine.settings.terminal(), engine.processes, engine.redactor)),
            new BuiltIn(ReadFileTool.NAME, Engine::readFile),
            new BuiltIn(WriteFileTool.NAME, engine -> new WriteFileTool(engine.heldFiles)));

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Settings settings;
    private final CompletableFuture<Void> memoryProtected; // calls wait for it, since a script could read the memory
    private final List<CallListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, SessionOutput> sessions = new ConcurrentHashMap<>();
    private final Map<String, Tool> tools;
    private final Spills spills;
    private final LiveFolder scratch;
    private final ToolCallServer server;
    private final Sandboxes sandboxes;
    private final ActiveCalls active;
    private final ProcessRegistry processes;
    private final HostFolders hostFolders;
    private final HeldFiles heldFiles;
    private final CommandSetup setup;
    private final Redactor redactor;
    private final AuditLog audit;
    private final Approvers approvers;
    private final StoredQuestions approvals;
    private final SudoPasswords passwords;
    private final CallRoute route;
    private final ExecuteCodeTool executeCode;

    /// A built-in tool.
    ///
    /// @param name the name of the tool
    /// @param tool makes the tool when an engine is built
    record BuiltIn(String name, Function<Engine, Tool> tool) {}

    Engine(EngineBuilder builder, Backend backend) {
        settings = builder.settings;
        memoryProtected = builder.notDumpable ? MemoryProtection.start() : CompletableFuture.completedFuture(null);
        scratch = ScratchFolder.create();
        server = new ToolCallServer(settings.rpc(), scratch.path(), this::nested);
        Map<String, String> childEnvironment = settings.environment().of(builder.environment);
        Pythons pythons = new Pythons(builder.environment, childEnvironment, settings.folders());
        HostViews views = new HostViews(settings, pythons, scratch.path());
        sandboxes = new Sandboxes(
                backend,
                settings,
                new RelayStarter(settings, childEnvironment, scratch.path(), views, server),
                FolderSync.of(settings));
        // A relay takes longest to start, so it comes first, and everything else is loaded meanwhile. platform:
        // starting the first virtual thread of a process is slow, too.
        builder.warm.ifPresent(
                session -> Thread.ofPlatform().daemon().name("relay-first").start(() -> startRelay(session)));
        KnownSecrets secrets = new KnownSecrets();
        redactor = (settings.output().redact() ? Redactor.on() : Redactor.off()).hiding(secrets);
        passwords = new SudoPasswords(settings.sudo(), redactor, secrets, builder.passwordPrompts);
        OutputSettings output = settings.output();
        spills = new Spills(
                settings.folders().spills(),
                new SpillLimits(output.spillBytes(), output.spillTotal(), output.spillKeep()),
                InstantSource.system());
        Thread.ofVirtual().name("spill-sweep").start(spills::sweep);
        Orphans.end();
        active = new ActiveCalls(this::publish);
        audit = AuditLog.open(settings.folders(), redactor);
        listeners.addAll(builder.listeners);
        Notices notices = new Notices(settings.terminal().notices(), this::pushed);
        processes = new ProcessRegistry(settings.folders(), redactor, notices);
        processes.adopt();
        sandboxes.begin(processes::runs);
        hostFolders = new HostFolders(settings);
        executeCode = new ExecuteCodeTool(
                settings, builder.environment, sandboxes, server, views, redactor, this::session, this::watched);
        builder.warm.ifPresent(session -> Thread.ofVirtual().name("warm").start(() -> warmQuietly(session)));
        setup = new CommandSetup(new Shell(settings, builder.environment), sandboxes, passwords);
        heldFiles = new HeldFiles(sandboxes, hostFolders);
        Map<String, Tool> all = new LinkedHashMap<>();
        builder.builtIn.forEach(own -> all.put(own.name(), own.tool().apply(this)));
        List<Tool> builtIn = List.copyOf(all.values());
        for (Tool tool : builder.tools) {
            String name = tool.spec().name();
            all.put(name, new HostTool(tool, Optional.ofNullable(all.get(name))));
        }
        all.keySet().removeIf(name -> !settings.allows(name));
        tools = all;
        executeCode.offer(builtIn, tools);
        approvers = new Approvers(builder.approvers);
        approvals = new StoredQuestions(settings.folders(), audit, InstantSource.system());
        Optional<StoredQuestions> later = Optional.of(approvals).filter(_ -> builder.answeredLater);
        Gate gate = builder.gate.orElseGet(() -> new RuleGate(
                settings,
                this::sandbox,
                this::folder,
                heldFiles::target,
                approvers,
                later,
                redactor,
                processes::typed));
        route = new CallRoute(
                new Admission(tools),
                gate,
                active,
                sandboxes,
                new ResultRemarks(sandboxes, notices::take, builder.first),
                new ResultCleaner(redactor),
                output.resultChars(),
                this::publish);
    }

    /// Returns a builder for an engine.
    public static EngineBuilder builder() {
        return new EngineBuilder();
    }

    /// Returns the names of the tools that every engine has unless its settings exclude some.
    public static List<String> builtInTools() {
        return BUILT_IN.stream().map(BuiltIn::name).toList();
    }

    /// Returns the administration of everything that the Talarias of a user have: processes, sandboxes,
    /// approvals.
    ///
    /// @param environment the variables `HOME` and `XDG_*`, which say where the user's folders are
    public static Admin admin(Map<String, String> environment) {
        return new FolderAdmin(Folders.of(environment));
    }

    /// Runs a call to its end and returns its result.
    public ToolResult call(ToolCall call) {
        return call(call, new Cancellation());
    }

    /// Runs a call to its end, or until somebody cancels it, and returns its result.
    public ToolResult call(ToolCall call, Cancellation cancellation) {
        memoryProtected.join();
        return route.take(call, Deadline.never(), cancellation);
    }

    private ToolResult nested(ToolCall call, Deadline deadline, Cancellation cancellation) {
        return route.take(call, deadline, cancellation);
    }

    /// Returns the descriptions of the tools that a model may call.
    public List<ToolSpec> tools() {
        return tools.values().stream().map(Tool::spec).toList();
    }

    /// Returns the settings of this engine.
    public Settings settings() {
        return settings;
    }

    /// Returns the copies of this engine: files and folders into sandboxes and out of them.
    public Copies copies() {
        return new SandboxCopies(sandboxes);
    }

    /// Starts a session's sandbox and interpreter before the first call needs them.
    public void warm(String session) {
        executeCode.warm(session);
    }

    private Tool terminal() {
        BackgroundTerminal background = new BackgroundTerminal(setup, processes, passwords);
        return new TerminalTool(settings.terminal(), setup, sandboxes, redactor, this::session, background, passwords);
    }

    private Tool readFile() {
        return new ReadFileTool(
                sandboxes, hostFolders, redactor, settings.output().resultChars(), this::session);
    }

    private Sandbox sandbox(ToolContext context) {
        Patience patience = Patience.of(context);
        return sandboxes.acquire(context.call().caller().session(), patience).sandbox();
    }

    /// Returns the folder that a command of this call's session would run in; empty if nobody knows it.
    private Optional<String> folder(ToolContext context) {
        String session = context.call().caller().session();
        return sandboxes.folder(session).or(() -> sandboxes.cwd(session)).or(() -> {
            try {
                Patience patience = Patience.of(context);
                SandboxLease lease = sandboxes.acquire(session, patience);
                return lease.sandbox().sharesHost()
                        ? Optional.of(Path.of("").toAbsolutePath().toString())
                        : lease.withRelay(patience)
                                .relay()
                                .map(relay -> relay.info().cwd());
            } catch (SandboxException e) {
                return Optional.empty(); // the command's own result says why
            }
        });
    }

    private void startRelay(String session) {
        try {
            var _ = sandboxes.acquire(session, Patience.endless()).withRelay(Patience.endless());
        } catch (SandboxException e) {
            LOG.debug("No relay yet: the first call will say why", e);
        }
    }

    private void warmQuietly(String session) {
        try {
            executeCode.warm(session);
        } catch (SandboxException e) {
            LOG.debug("Not warm: the first call will say why", e);
        }
    }

    /// Adds a listener, which gets the events of all calls until the result is closed.
    public Registration listen(CallListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /// Adds an approver, which is asked before all others until the result is closed.
    public Registration ask(Approver approver) {
        approvers.add(approver);
        return () -> approvers.remove(approver);
    }

    /// Returns the questions that nobody could answer when they came.
    public PendingApprovals approvals() {
        return approvals;
    }

    /// Adds a prompt for sudo's password, which is asked before all others until the result is closed.
    public Registration askPassword(PasswordPrompt prompt) {
        passwords.add(prompt);
        return () -> passwords.remove(prompt);
    }

    /// A listener, approver or prompt that was added. Closing it removes it.
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    private SessionOutput session(String id) {
        SessionOutput known = sessions.get(id);
        return known != null ? known : sessions.computeIfAbsent(id, _ -> new SessionOutput(spills.session()));
    }

    /// Returns whether anybody listens. Live output is cleaned only then.
    private boolean watched() {
        return !listeners.isEmpty();
    }

    /// Sets what is different about a session's sandbox, such as its image or its folder. Call this before the
    /// session's first call.
    ///
    /// @throws SandboxException if the session has its sandbox already
    public void override(String session, SessionOverride override) {
        sandboxes.override(session, override);
    }

    /// Returns the open sandboxes. Each is asked for the memory and disk space it uses, which may take a moment.
    public List<SandboxInfo> sandboxes() {
        return sandboxes.list();
    }

    /// Ends a session: its background processes, its sandbox and its override. A later call of a session with
    /// this name starts from nothing.
    public void cleanup(String session) {
        processes.endAll(session);
        sandboxes.cleanup(session);
        sessions.remove(session);
    }

    /// Returns whether a background process of a session still runs. Its sandbox is needed until then.
    public boolean busy(String session) {
        return processes.busy(session);
    }

    private boolean pushed(CallEvent.Notice notice) {
        publish(notice);
        String session = notice.call().caller().session();
        return listeners.stream().anyMatch(listener -> listener.takesNotices(session));
    }

    private void publish(CallEvent event) {
        if (event instanceof CallEvent.Ended ended) {
            publish(audit, ended);
        }
        for (CallListener listener : listeners) {
            publish(listener, event);
        }
    }

    private static void publish(CallListener listener, CallEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException e) {
            LOG.warn("A listener failed at {}", event.getClass().getSimpleName(), e);
        }
    }

    @Override
    public void close() {
        active.close();
        sandboxes.close();
        processes.close();
        try {
            server.close();
        } catch (IOException e) {
            LOG.debug("Closing sockets", e);
        }
        scratch.close();
        audit.close();
    }
}
