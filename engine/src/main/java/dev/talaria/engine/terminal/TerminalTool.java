package dev.talaria.engine.terminal;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Deadline;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.Session;
import dev.talaria.engine.acquire.Sandboxes;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.clean.CaptureLimits;
import dev.talaria.engine.clean.Captured;
import dev.talaria.engine.clean.CleanText;
import dev.talaria.engine.clean.LineSink;
import dev.talaria.engine.clean.OutputCapture;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.process.BackgroundTerminal;
import dev.talaria.engine.process.Flags;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.start.DirectLauncher;
import dev.talaria.engine.start.Exit;
import dev.talaria.engine.start.GaveUpException;
import dev.talaria.engine.start.Job;
import dev.talaria.engine.start.Launcher;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.start.Supervisor;
import dev.talaria.engine.start.Supervisor.Outcome;
import dev.talaria.engine.stubs.BuiltInTools;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Runs a shell command in the foreground and returns its output and exit code.
public final class TerminalTool implements Tool {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int OUTPUT_BYTES = 50_000;

    /// A script gets more than a model: it is there to filter.
    private static final int NESTED_OUTPUT_BYTES = 2_000_000;

    private final ToolSpec spec = BuiltInTools.forModels("terminal").orElseThrow();
    private final Shell shell;
    private final Sandboxes sandboxes;
    private final Redactor redactor;
    private final Function<String, Session> sessions;
    private final BackgroundTerminal background;

    public TerminalTool(
            Shell shell,
            Sandboxes sandboxes,
            Redactor redactor,
            Function<String, Session> sessions,
            BackgroundTerminal background) {
        this.shell = shell;
        this.sandboxes = sandboxes;
        this.redactor = redactor;
        this.sessions = sessions;
        this.background = background;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return BuiltInTools.find("terminal");
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        return Flags.objection(arguments);
    }

    @Override
    public ToolResult call(ToolContext context) {
        if (Flags.isBackground(context.arguments())) {
            return background.call(context);
        }
        String command = String.valueOf(context.arguments().get("command"));
        Duration timeout = context.arguments().get("timeout") instanceof Number seconds && seconds.doubleValue() > 0
                ? Duration.ofMillis((long) (Math.min(seconds.doubleValue(), (double) LONGEST.toSeconds()) * 1000))
                : TIMEOUT;
        Session session = sessions.apply(context.call().caller().session());
        Deadline deadline = context.deadline().atMost(timeout);
        context.waitingFor(() -> "the sandbox");
        try {
            return run(context, command, timeout, session, new Patience(deadline, context.cancellation()));
        } catch (GaveUpException e) {
            return notRun(e, timeout);
        }
    }

    private ToolResult run(ToolContext context, String command, Duration timeout, Session session, Patience patience) {
        Workplace workplace = sandboxes.acquire(session.id(), patience);
        context.ranIn(workplace.sandbox().name());
        Optional<Relay> relay = workplace.relayIfAny(patience);
        context.waitingFor(() -> "terminal: " + redactor.redact(firstLine(command), Redactor.Mode.CODE));
        LineSink live =
                context.call().parent().isPresent() ? LineSink.NONE : line -> context.output(Stream.STDOUT, line);
        int bytes = context.call().parent().isPresent() ? NESTED_OUTPUT_BYTES : OUTPUT_BYTES;
        try (OutputCapture output = new OutputCapture(CaptureLimits.stdout(bytes), redactor, session.spills(), live)) {
            Launcher launcher =
                    relay.<Launcher>map(found -> found).orElseGet(() -> new DirectLauncher(workplace.sandbox()));
            Job job = launcher.start(shell.program(command, workdir(context), workplace), (_, data) -> {
                synchronized (output) { // direct exec has a thread for each stream
                    output.accept(data);
                }
            });
            Outcome outcome = Supervisor.await(job, patience.deadline(), patience.cancellation());
            return isolated(result(outcome, output, timeout, relay.isEmpty()), workplace);
        }
    }

    private static Optional<String> workdir(ToolContext context) {
        return context.arguments().get("workdir") instanceof String folder && !folder.isBlank()
                ? Optional.of(folder)
                : Optional.empty();
    }

    private static ToolResult isolated(ToolResult result, Workplace workplace) {
        return result.withValue(workplace.described(result.value()));
    }

    private ToolResult result(Outcome outcome, OutputCapture output, Duration timeout, boolean direct) {
        Exit exit = outcome.exit();
        Captured captured = output.finish(exit.shellCode() != 0);
        Map<String, Object> value = new LinkedHashMap<>();
        String text = exit.notStarted().map(why -> why + "\n").orElse("") + captured.text();
        switch (outcome) {
            case Outcome.Ended _ -> value.put("output", new CleanText(text));
            case Outcome.TimedOut _ ->
                value.put("output", new CleanText(text + "\n[Command timed out after " + timeout.toSeconds() + "s]"));
            case Outcome.Cancelled _ -> value.put("output", new CleanText(text + "\n[Command interrupted]"));
        }
        value.put(
                "exit_code",
                switch (outcome) {
                    case Outcome.Ended _ -> exit.notStarted().isPresent() ? 126 : exit.shellCode();
                    case Outcome.TimedOut _ -> 124;
                    case Outcome.Cancelled _ -> 130;
                });
        value.put("error", null);
        if (captured.truncated()) {
            value.put("output_total_bytes", captured.bytesTotal());
            captured.spill().ifPresent(file -> {
                value.put("full_output_path", file.toString());
                value.put("truncation_note", "Read the rest with read_file instead of running the command again.");
            });
        }
        if (exit.leftBehind() > 0) {
            value.put("processes_ended", exit.leftBehind());
        }
        if (direct) {
            value.put(
                    "fallback",
                    "There is no Python in this sandbox: the command ran by direct exec, so processes that"
                            + " left its session may not have been found.");
        }
        return switch (outcome) {
            case Outcome.Ended _ -> new ToolResult.Completed(value);
            case Outcome.TimedOut _ -> new ToolResult.TimedOut(timeout, value);
            case Outcome.Cancelled cancelled -> new ToolResult.Cancelled(cancelled.reason(), value);
        };
    }

    private static ToolResult notRun(GaveUpException why, Duration timeout) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put(
                "output",
                why.cancelled().isPresent()
                        ? "[Command interrupted before it was started]"
                        : "[Command timed out after " + timeout.toSeconds() + "s, before the sandbox was open]");
        value.put("exit_code", why.cancelled().isPresent() ? 130 : 124);
        value.put("error", null);
        return why.result(timeout, value);
    }

    private static String firstLine(String command) {
        String line = command.strip().lines().findFirst().orElse("");
        return line.substring(0, Math.min(80, line.length()));
    }
}
