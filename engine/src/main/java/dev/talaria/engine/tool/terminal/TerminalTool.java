package dev.talaria.engine.tool.terminal;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Deadline;
import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.TerminalSettings;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Retries;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.LineSink;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.Session;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.shell.CommandMasking;
import dev.talaria.engine.shell.CommandSetup;
import dev.talaria.engine.shell.ReadyCommand;
import dev.talaria.engine.shell.Snapshots;
import dev.talaria.engine.sudo.SudoAnswers;
import dev.talaria.engine.sudo.SudoPasswords;
import dev.talaria.engine.tool.process.BackgroundFlags;
import dev.talaria.engine.tool.process.BackgroundTerminal;
import dev.talaria.engine.tool.process.HandOver;
import dev.talaria.engine.toolcalls.stub.BuiltInTools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a shell command in the foreground and returns its output and exit code.
public final class TerminalTool implements Tool {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalTool.class);
    private static final int INPUT_PART = 1 << 16;
    private static final int OUTPUT_BYTES = 50_000;

    /// A script gets more than a model: it is there to filter.
    private static final int NESTED_OUTPUT_BYTES = 2_000_000;

    private final ToolSpec spec;
    private final TerminalSettings settings;
    private final CommandSetup setup;
    private final Sandboxes sandboxes;
    private final Redactor redactor;
    private final Function<String, Session> sessions;
    private final BackgroundTerminal background;
    private final SudoPasswords passwords;

    public TerminalTool(
            TerminalSettings settings,
            CommandSetup setup,
            Sandboxes sandboxes,
            Redactor redactor,
            Function<String, Session> sessions,
            BackgroundTerminal background,
            SudoPasswords passwords) {
        this.spec = BuiltInTools.forModels("terminal", settings).orElseThrow();
        this.settings = settings;
        this.setup = setup;
        this.sandboxes = sandboxes;
        this.redactor = redactor;
        this.sessions = sessions;
        this.background = background;
        this.passwords = passwords;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return BuiltInTools.find("terminal");
    }

    /// A script ends soon, and what it starts with it.
    @Override
    public Set<String> closedToScripts() {
        return Set.of(
                "background",
                "pty",
                "notify",
                "notify_on_complete",
                "watch_patterns",
                "heartbeat",
                "persist_on_release");
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        return new Effect.Command(
                JsonFields.text(arguments, "command").orElse(""),
                JsonFields.filled(arguments, "workdir"),
                switch (arguments.get("stdin_data")) {
                    case String text -> Optional.of(text);
                    case byte[] bytes -> Optional.of(new String(bytes, StandardCharsets.UTF_8));
                    case null, default -> Optional.empty();
                },
                JsonFields.isTrue(arguments, "background"));
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return Optional.of(Set.of(
                "notify_on_complete", "watch_patterns", "check_interval", "trim", "force", "task_id", "session_id"));
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        return TerminalRequest.objection(arguments, settings.timeout().standard())
                .or(() -> BackgroundFlags.objection(arguments));
    }

    @Override
    public Map<String, Object> objected(String message) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "");
        value.put("exit_code", -1);
        value.put("error", message);
        value.put("status", "error");
        return value;
    }

    @Override
    public Map<String, Object> failed(ErrorCode code, String message) {
        return TerminalFailure.value(code, message);
    }

    @Override
    public ToolResult call(ToolContext context) {
        Deadline deadline = context.deadline()
                .atMost(TerminalRequest.of(context.call(), settings.timeout()).timeout());
        return Retries.of(
                () -> attempt(context, deadline), (pause, problem) -> pause(context, deadline, pause, problem));
    }

    private void pause(ToolContext context, Deadline deadline, Duration pause, SandboxException problem) {
        sandboxes.suspect(context.call().caller().session());
        if (deadline.remaining().compareTo(pause) < 0) {
            throw Retries.settled(problem);
        }
        new Patience(deadline, context.cancellation()).pause(pause);
    }

    private ToolResult attempt(ToolContext context, Deadline deadline) {
        if (BackgroundFlags.isBackground(context.arguments())) {
            return background.call(context);
        }
        TerminalRequest request = TerminalRequest.of(context.call(), settings.timeout());
        Optional<Duration> tooLong = TerminalRequest.asked(context.arguments())
                .filter(asked -> asked.compareTo(settings.timeout().ceiling()) > 0);
        if (tooLong.isPresent() && mayGoOn(context, request)) {
            return background.promoted(
                    context, tooLong.get(), settings.timeout().ceiling());
        }
        Session session = sessions.apply(context.call().caller().session());
        context.waitingFor(() -> "the sandbox");
        try {
            return run(context, request, session, new Patience(deadline, context.cancellation()));
        } catch (GaveUpException e) {
            return TerminalReport.notRun(e, request.timeout());
        }
    }

    /// Returns whether a command may become a background process: somebody must be there to look after it.
    private boolean mayGoOn(ToolContext context, TerminalRequest request) {
        return settings.promote()
                && !context.call().caller().oneShot()
                && context.call().parent().isEmpty()
                && request.input().isEmpty();
    }

    private ToolResult run(ToolContext context, TerminalRequest request, Session session, Patience patience) {
        ReadyCommand ready = setup.ready(context, request.command(), request.workdir(), patience);
        SandboxLease lease = ready.lease();
        JobSpec.Program plain = request.input().isPresent() ? ready.program().withInput() : ready.program();
        Optional<SudoAnswers> sudo =
                passwords.of(context, request.command(), lease.sandbox().name());
        JobSpec.Program program = sudo.map(plain::withAskpass).orElse(plain);
        context.waitingFor(() -> "terminal: " + redactor.redact(firstLine(request.command()), Redactor.Mode.CODE));
        boolean nested = context.call().parent().isPresent();
        LineSink live = nested ? LineSink.NONE : line -> context.output(Stream.STDOUT, line);
        CaptureLimits limits = CaptureLimits.stdout(nested ? NESTED_OUTPUT_BYTES : OUTPUT_BYTES);
        try (OutputCapture output = new OutputCapture(
                limits,
                redactor,
                CommandMasking.of(request.command()),
                lease.spills(session),
                live)) {
            CharCount chars = new CharCount();
            OutputSink sink = (_, data) -> {
                synchronized (output) { // direct exec has a thread for each stream
                    chars.accept(data.duplicate());
                    output.accept(data);
                }
            };
            Function<Outcome, ToolResult> report = outcome -> {
                outcome.exit().shell().flatMap(Exit.ShellEnd::cwd).ifPresent(lease::moved);
                boolean failed = outcome.exit().shellCode() != 0;
                if (failed && !ready.hasRelay()) {
                    lease.suspect(); // there is no relay whose death would show that the sandbox is gone
                }
                ToolResult told = new TerminalReport(
                                request, outcome, output.finish(failed), chars.total(), notes(ready), lease.sandbox())
                        .result();
                return sudo.map(answers -> answers.described(told)).orElse(told);
            };
            ToolResult result;
            if (mayYield(context, request)) {
                try (HandOver handOver = background.handOver(context, request.command(), sink)) {
                    result = yielding(request, ready.launcher(), program, handOver, patience, report);
                }
            } else {
                Job job = ready.launcher().start(program, sink);
                request.input().ifPresent(input -> feed(job, input));
                result = report.apply(Supervisor.await(job, patience));
            }
            return lease.described(result);
        }
    }

    private boolean mayYield(ToolContext context, TerminalRequest request) {
        return JsonFields.isTrue(context.arguments(), "yield_on_timeout") && mayGoOn(context, request);
    }

    /// Runs a command that goes on in the background when its time is over.
    private static ToolResult yielding(
            TerminalRequest request,
            Launcher launcher,
            JobSpec.Program program,
            HandOver handOver,
            Patience patience,
            Function<Outcome, ToolResult> report) {
        Job job = launcher.start(new JobSpec.Background(program, Optional.empty(), false), handOver);
        Optional<Outcome> ended = Supervisor.inTime(job, patience);
        return ended.map(report)
                .or(() -> handOver.take(job, request.timeout()))
                .orElseGet(() -> report.apply(Supervisor.await(job, patience)));
    }

    private static List<String> notes(ReadyCommand ready) {
        return ready.hasRelay()
                ? ready.failure().map(Snapshots.Failure::told).stream().toList()
                : List.of("There is no Python in this sandbox: the command ran by direct exec. Variables and the folder"
                        + " do not persist between commands, and processes that left its session may not have been"
                        + " found.");
    }

    private static void feed(Job job, InputStream input) {
        // platform: a read of this process's stdin holds its carrier, and may never return
        Thread.ofPlatform().daemon().name("terminal-input").start(() -> {
            try {
                byte[] part = new byte[INPUT_PART];
                for (int count = 0; count >= 0 && !job.exit().isDone(); count = input.read(part)) {
                    job.write(ByteBuffer.wrap(part, 0, count));
                }
            } catch (IOException e) {
                LOG.debug("The command's input ended early", e);
            } catch (SandboxException e) {
                return; // the sandbox is gone, and the command's end says so
            }
            endInput(job);
        });
    }

    private static void endInput(Job job) {
        try {
            job.endInput();
        } catch (SandboxException e) {
            LOG.debug("The command's input cannot be ended", e); // its end says why
        }
    }

    private static String firstLine(String command) {
        String line = command.strip().lines().findFirst().orElse("");
        return line.substring(0, Math.min(80, line.length()));
    }
}
