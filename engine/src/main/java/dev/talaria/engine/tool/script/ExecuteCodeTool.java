package dev.talaria.engine.tool.script;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.ScriptSettings;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.LineSink;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.output.SpillTarget;
import dev.talaria.engine.sandbox.HostViews;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.toolcalls.RunCalls;
import dev.talaria.engine.toolcalls.ToolCallServer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// The tool `execute_code`: runs a Python script that calls tools. Only the script's output comes back.
public final class ExecuteCodeTool implements Tool {
    /// The name that models call the tool by.
    public static final String NAME = "execute_code";

    /// How long the calls of a script that has ended may take to notice.
    private static final Duration CALLS_END = Duration.ofSeconds(1);

    private final Settings settings;
    private final Sandboxes sandboxes;
    private final ToolCallServer server;
    private final Redactor redactor;
    private final Function<String, SessionOutput> sessions;
    private final BooleanSupplier watched;
    private final ScriptStarter starter;
    private ToolSpec spec; // set once more by offer(), before the first call

    public ExecuteCodeTool(
            Settings settings,
            Map<String, String> environment,
            Sandboxes sandboxes,
            ToolCallServer server,
            HostViews views,
            Redactor redactor,
            Function<String, SessionOutput> sessions,
            BooleanSupplier watched) {
        this.settings = settings;
        this.sandboxes = sandboxes;
        this.server = server;
        this.redactor = redactor;
        this.sessions = sessions;
        this.watched = watched;
        this.starter = new ScriptStarter(settings, environment, views, server);
        this.spec = describe();
    }

    /// Says which tools there are; scripts may call those that are meant for them.
    ///
    /// @param builtIn the engine's own tools, whether they are enabled or replaced or not
    /// @param tools those that can be called, by name
    public void offer(Collection<Tool> builtIn, Map<String, Tool> tools) {
        starter.offer(builtIn, tools);
        spec = describe();
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    /// Returns empty: a script does not start scripts.
    @Override
    public Optional<ToolSpec> forScripts() {
        return Optional.empty();
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        String code = JsonFields.text(arguments, "code").orElse("");
        Object args = arguments.get("args");
        return new Effect.Script(code, args == null ? Map.of() : Map.of("args", args));
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return Optional.of(Set.of("args", "reset", "task_id"));
    }

    private ToolSpec describe() {
        ScriptSettings script = settings.script();
        return ExecuteCodeSpec.spec(
                starter.existing(),
                starter.callable(),
                script.mode().name().toLowerCase(Locale.ROOT),
                new ExecuteCodeSpec.Limits(
                        script.timeout().standard(),
                        script.timeout().ceiling(),
                        script.toolCalls().standard(),
                        script.toolCalls().ceiling(),
                        script.stdoutBytes()));
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        return ScriptRequest.objection(arguments);
    }

    @Override
    public Map<String, Object> objected(String message) {
        return ScriptReport.notRun(message);
    }

    @Override
    public Map<String, Object> failed(ErrorCode code, String message) {
        return ScriptReport.notRun(message);
    }

    @Override
    public Map<String, Object> refused(Map<String, Object> value) {
        Map<String, Object> mine = ScriptReport.notRun(String.valueOf(value.get("error")));
        Optional.ofNullable(value.get("outcome")).ifPresent(outcome -> mine.put("outcome", outcome));
        return mine;
    }

    @Override
    public ToolResult call(ToolContext context) {
        long began = System.nanoTime();
        ScriptRequest request = ScriptRequest.of(context.arguments(), settings.script());
        String session = context.call().caller().session();
        Patience patience = Patience.of(context).atMost(request.timeout());
        context.waitingFor(() -> "the sandbox");
        try {
            SandboxLease found = sandboxes.acquire(session, patience);
            context.ranIn(found.sandbox().name());
            SandboxLease lease = starter.ready(found, patience);
            ToolResult result = run(context, request, lease, patience, began);
            if (result instanceof ToolResult.Failed) {
                lease.suspect();
            }
            return lease.described(result);
        } catch (SandboxException e) {
            sandboxes.suspect(session);
            return ScriptReport.notRun(e, Duration.ofNanos(System.nanoTime() - began));
        } catch (GaveUpException e) {
            return ScriptReport.notRun(e, request.timeout(), Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private ToolResult run(
            ToolContext context, ScriptRequest request, SandboxLease lease, Patience patience, long began) {
        ToolCall call = context.call();
        SessionOutput session = sessions.apply(call.caller().session());
        boolean live = watched.getAsBoolean();
        LineSink out = live ? line -> context.output(Stream.STDOUT, line) : LineSink.NONE;
        LineSink err = live ? line -> context.output(Stream.STDERR, line) : LineSink.NONE;
        CaptureLimits outLimits = CaptureLimits.stdout(settings.script().stdoutBytes());
        CaptureLimits errLimits = CaptureLimits.stderr(settings.script().stderrBytes());
        try (Cancellation.Child nested = patience.cancellation().child();
                OutputCapture stdout = new OutputCapture(outLimits, redactor, lease.spills(session), out);
                OutputCapture stderr = new OutputCapture(errLimits, redactor, SpillTarget.NONE, err)) {
            ToolCallServer.RunAccess access = server.open(
                    call,
                    starter.callable(),
                    request.toolCalls(),
                    patience.deadline(),
                    nested.cancellation(),
                    starter.usesSocket(lease));
            List<String> unanswered;
            Outcome outcome;
            try {
                OutputSink sink = (stream, data) -> (stream == Stream.STDOUT ? stdout : stderr).accept(data);
                Job job = starter.start(request, access, lease, patience, live, sink);
                waitFor(context, access);
                outcome = Supervisor.await(job, patience);
            } finally {
                unanswered = server.close(access);
                nested.cancellation().cancel("the script has ended");
            }
            RunCalls.Summary calls = access.calls().awaitEnd(unanswered, CALLS_END);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            return new ScriptReport(
                            settings.script(), request, starter.callable().keySet(), session, lease.sandbox())
                    .result(outcome, stdout, stderr, calls, took);
        }
    }

    private static void waitFor(ToolContext context, ToolCallServer.RunAccess access) {
        context.waitingFor(() -> {
            String tools = access.calls().waitingFor();
            return tools.isEmpty() ? "the script" : "the script, which waits for " + tools;
        });
    }

    /// Starts the session's sandbox and interpreter before the first script.
    public void warm(String session) {
        starter.warm(sandboxes.acquire(session, Patience.endless()));
    }
}
