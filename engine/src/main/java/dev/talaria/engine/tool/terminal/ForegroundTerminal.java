package dev.talaria.engine.tool.terminal;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.LineSink;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.shell.CommandMasking;
import dev.talaria.engine.shell.CommandSetup;
import dev.talaria.engine.shell.ReadyCommand;
import dev.talaria.engine.shell.Snapshots;
import dev.talaria.engine.sudo.SudoAnswers;
import dev.talaria.engine.sudo.SudoPasswords;
import dev.talaria.engine.tool.process.BackgroundTerminal;
import dev.talaria.engine.tool.process.HandOver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The half of the tool `terminal` that waits: it runs a command and returns its output and exit code.
final class ForegroundTerminal {
    private static final Logger LOG = LoggerFactory.getLogger(ForegroundTerminal.class);
    private static final int INPUT_PART = 1 << 16;
    private static final int OUTPUT_BYTES = 50_000;

    /// A script gets more output than a model, since it can filter.
    private static final int NESTED_OUTPUT_BYTES = 2_000_000;

    private final CommandSetup setup;
    private final Redactor redactor;
    private final Function<String, SessionOutput> sessions;
    private final BackgroundTerminal background;
    private final SudoPasswords passwords;

    ForegroundTerminal(
            CommandSetup setup,
            Redactor redactor,
            Function<String, SessionOutput> sessions,
            BackgroundTerminal background,
            SudoPasswords passwords) {
        this.setup = setup;
        this.redactor = redactor;
        this.sessions = sessions;
        this.background = background;
        this.passwords = passwords;
    }

    /// Runs a command to its end.
    ///
    /// @param mayGoOn whether the command may continue in the background after its timeout
    ToolResult run(ToolContext context, TerminalRequest request, boolean mayGoOn, Patience patience) {
        try {
            ReadyCommand ready = setup.ready(context, request.command(), request.workdir(), patience);
            try (TerminalOutput output = capture(context, request, ready.lease())) {
                Run run = new Run(context, request, ready, sudo(context, request, ready), output, patience);
                boolean yields = mayGoOn && JsonFields.isTrue(context.arguments(), "yield_on_timeout");
                return ready.lease().described(yields ? run.yielding(background) : run.toItsEnd());
            }
        } catch (GaveUpException e) {
            return TerminalReport.notRun(e, request.timeout());
        }
    }

    private Optional<SudoAnswers> sudo(ToolContext context, TerminalRequest request, ReadyCommand ready) {
        return passwords.of(context, request.command(), ready.lease().sandbox().name());
    }

    private TerminalOutput capture(ToolContext context, TerminalRequest request, SandboxLease lease) {
        context.waitingFor(() -> "terminal: " + redactor.redact(firstLine(request.command()), Redactor.Mode.CODE));
        boolean nested = context.call().parent().isPresent();
        LineSink live = nested ? LineSink.NONE : line -> context.output(Stream.STDOUT, line);
        SessionOutput session = sessions.apply(context.call().caller().session());
        return new TerminalOutput(new OutputCapture(
                CaptureLimits.stdout(nested ? NESTED_OUTPUT_BYTES : OUTPUT_BYTES),
                redactor,
                CommandMasking.of(request.command()),
                lease.spills(session),
                live));
    }

    /// One command between its start and its report.
    private record Run(
            ToolContext context,
            TerminalRequest request,
            ReadyCommand ready,
            Optional<SudoAnswers> sudo,
            TerminalOutput output,
            Patience patience) {

        ToolResult toItsEnd() {
            Job job = ready.launcher().start(program(), output);
            request.input().ifPresent(input -> feed(job, input));
            return report(Supervisor.await(job, patience));
        }

        /// Runs a command that continues in the background after its timeout.
        ToolResult yielding(BackgroundTerminal background) {
            try (HandOver handOver = background.handOver(context, request.command(), output)) {
                Job job = ready.launcher().start(new JobSpec.Background(program(), Optional.empty(), false), handOver);
                return Supervisor.inTime(job, patience)
                        .map(this::report)
                        .or(() -> handOver.take(job, request.timeout()))
                        .orElseGet(() -> report(Supervisor.await(job, patience)));
            }
        }

        private JobSpec.Program program() {
            JobSpec.Program plain =
                    request.input().isPresent() ? ready.program().withInput() : ready.program();
            return sudo.map(plain::withAskpass).orElse(plain);
        }

        private ToolResult report(Outcome outcome) {
            SandboxLease lease = ready.lease();
            outcome.exit().shell().flatMap(Exit.ShellEnd::cwd).ifPresent(lease::moved);
            boolean failed = outcome.exit().shellCode() != 0;
            if (failed && !ready.hasRelay()) {
                lease.suspect(); // without a relay nothing shows that the sandbox is gone
            }
            ToolResult result = new TerminalReport(
                            request, outcome, output.finish(failed), output.chars(), notes(ready), lease.sandbox())
                    .result();
            return sudo.map(answers -> answers.described(result)).orElse(result);
        }
    }

    private static List<String> notes(ReadyCommand ready) {
        return ready.hasRelay()
                ? ready.failure().map(Snapshots.Failure::told).stream().toList()
                : List.of("There is no Python in this sandbox: the command ran by direct exec. Variables and the folder"
                        + " do not persist between commands, and processes that left its session may not have been"
                        + " found.");
    }

    private static void feed(Job job, InputStream input) {
        // platform: a read of this process's stdin blocks its carrier, and may never return
        Thread.ofPlatform().daemon().name("terminal-input").start(() -> {
            try {
                byte[] part = new byte[INPUT_PART];
                for (int count = 0; count >= 0 && !job.exit().isDone(); count = input.read(part)) {
                    job.write(ByteBuffer.wrap(part, 0, count));
                }
            } catch (IOException e) {
                LOG.debug("The command's input ended early", e);
            } catch (SandboxException e) {
                return; // the sandbox is gone; the command's end says so
            }
            endInput(job);
        });
    }

    private static void endInput(Job job) {
        try {
            job.endInput();
        } catch (SandboxException e) {
            LOG.debug("The command's input cannot be ended", e); // the command's end says why
        }
    }

    private static String firstLine(String command) {
        String line = command.strip().lines().findFirst().orElse("");
        return line.substring(0, Math.min(80, line.length()));
    }
}
