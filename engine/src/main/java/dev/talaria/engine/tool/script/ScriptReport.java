package dev.talaria.engine.tool.script;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.ScriptSettings;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.output.CapturedOutput;
import dev.talaria.engine.output.CleanText;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.output.SpillReading;
import dev.talaria.engine.toolcalls.RunCalls;
import dev.talaria.engine.toolcalls.stub.FailureHints;
import dev.talaria.engine.util.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the result of a run: first the keys that models know from the seeds, then our own.
final class ScriptReport {
    private static final String STDERR = "\n--- stderr ---\n";
    private static final int MOST_DIGESTED = 50;

    private final ScriptSettings settings;
    private final ScriptRequest request;
    private final Collection<String> callable;
    private final SessionOutput session;
    private final Sandbox sandbox;
    private final Map<String, Object> value = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    /// @param sandbox the sandbox that the script ran in
    ScriptReport(
            ScriptSettings settings,
            ScriptRequest request,
            Collection<String> callable,
            SessionOutput session,
            Sandbox sandbox) {
        this.sandbox = sandbox;
        this.settings = settings;
        this.request = request;
        this.callable = callable;
        this.session = session;
    }

    /// The status of a run in its result.
    private enum Status {
        SUCCESS("success"),
        ERROR("error"),
        TIMEOUT("timeout"),
        INTERRUPTED("interrupted");

        private final String word;

        Status(String word) {
            this.word = word;
        }
    }

    ToolResult result(Outcome outcome, OutputCapture out, OutputCapture err, RunCalls.Summary calls, Duration took) {
        Exit exit = outcome.exit();
        Status status = switch (outcome) {
            case Outcome.Exited _ -> exit.shellCode() == 0 ? Status.SUCCESS : Status.ERROR;
            case Outcome.TimedOut _ -> Status.TIMEOUT;
            case Outcome.Cancelled _ -> Status.INTERRUPTED;
        };
        CapturedOutput stdout = out.finish(status != Status.SUCCESS);
        CapturedOutput stderr = err.finish(status != Status.SUCCESS);
        Optional<String> error = error(outcome, status, stderr.text());
        value.put("status", status.word);
        value.put("output", new CleanText(output(outcome, status, stdout.text(), stderr.text(), error.orElse(""))));
        value.put("exit_code", exitCode(exit, status));
        value.put("tool_calls_made", calls.used());
        value.put("duration_seconds", seconds(took));
        stdoutFacts(stdout);
        error.ifPresent(text -> value.put("error", new CleanText(text)));
        if (status == Status.ERROR) {
            explain(exit, stderr.text());
        }
        repeated(status, error.orElse(""));
        silence(status, stdout, stderr, calls);
        leftovers(exit, calls.unanswered(), calls.unended());
        limits(exit, calls, stdout, stderr, took);
        if (!notes.isEmpty()) {
            value.put("note", String.join(" ", notes));
        }
        Optional<String> lost = exit.status().signal().isEmpty() && outcome instanceof Outcome.Exited
                ? exit.status().lost()
                : Optional.empty();
        return lost.<ToolResult>map(why -> new ToolResult.Failed(ErrorCode.SANDBOX_LOST, why, value))
                .orElseGet(() -> outcome.result(request.timeout(), value));
    }

    /// Returns the report of a script that could not be started.
    static ToolResult notRun(SandboxException why, Duration took) {
        String message = String.valueOf(why.getMessage());
        return new ToolResult.Failed(why.code(), message, notRun(Status.ERROR, message, took));
    }

    /// Returns the report of a script that was not started: its time was over, or its caller had gone.
    static ToolResult notRun(GaveUpException why, Duration limit, Duration took) {
        String waiting = " while the sandbox was being opened; the script was not started.";
        return why.result(
                limit,
                why.cancelled()
                        .map(reason ->
                                notRun(Status.INTERRUPTED, "Script interrupted (" + reason + ")" + waiting, took))
                        .orElseGet(() -> notRun(
                                Status.TIMEOUT, "Script timed out after " + plain(limit) + "s" + waiting, took)));
    }

    /// Returns the result of a script that was not run.
    static Map<String, Object> notRun(String message) {
        return notRun(Status.ERROR, message, Duration.ZERO);
    }

    private static Map<String, Object> notRun(Status status, String message, Duration took) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("status", status.word);
        value.put("output", "");
        value.put("exit_code", -1);
        value.put("tool_calls_made", 0);
        value.put("duration_seconds", seconds(took));
        value.put("error", message);
        return value;
    }

    private static int exitCode(Exit exit, Status status) {
        return switch (status) {
            case TIMEOUT, INTERRUPTED -> -1;
            case SUCCESS, ERROR ->
                exit.status().code().orElseGet(() -> -exit.status().signal().orElse(1));
        };
    }

    private Optional<String> error(Outcome outcome, Status status, String stderr) {
        Exit exit = outcome.exit();
        return switch (status) {
            case SUCCESS -> Optional.empty();
            case TIMEOUT ->
                Optional.of("Script timed out after " + plain(request.timeout()) + "s"
                        + exit.status().lost().map(what -> ". " + what).orElse(" and was killed."));
            case INTERRUPTED -> Optional.of("Script interrupted: " + ((Outcome.Cancelled) outcome).reason());
            case ERROR -> Optional.of(failure(exit, stderr));
        };
    }

    private static String failure(Exit exit, String stderr) {
        if (exit.outOfMemory().isPresent() && exit.killed()) {
            return exit.outOfMemory().get();
        }
        if (exit.overLimit().isPresent() && exit.outOfMemory().isEmpty()) {
            return "Script had more " + exit.overLimit().get() + " than its limit allows and was killed.";
        }
        Optional<String> special = exit.status().notStarted().map(why -> "Script could not be started: " + why);
        return special.or(exit.status()::lost)
                .or(() -> stderr.isBlank() ? Optional.empty() : Optional.of(stderr))
                .orElseGet(() -> exit.status().signal().isPresent()
                        ? "Script died by signal "
                                + Signals.describe(exit.status().signal().getAsInt())
                        : "Script exited with code " + exit.shellCode());
    }

    private static String output(Outcome outcome, Status status, String stdout, String stderr, String error) {
        String shown = stderr.isEmpty() ? stdout : stdout + STDERR + stderr;
        return switch (status) {
            case SUCCESS, ERROR -> shown;
            case TIMEOUT -> (shown.isEmpty() ? "" : shown + "\n\n") + "⏰ " + error;
            case INTERRUPTED -> shown + "\n[execution interrupted — " + ((Outcome.Cancelled) outcome).reason() + "]";
        };
    }

    private void stdoutFacts(CapturedOutput stdout) {
        value.put("stdout_truncated", stdout.truncated());
        value.put("stdout_bytes_captured", stdout.bytesCaptured());
        value.put("stdout_bytes_total", stdout.bytesTotal());
        value.put("stdout_bytes_omitted", stdout.bytesOmitted());
        if (!stdout.truncated()) {
            return;
        }
        stdout.spill().ifPresent(file -> value.put("stdout_spill_path", file.toString()));
        value.put(
                "warning",
                "The script did run; only its output is cut. "
                        + stdout.spill()
                                .map(file -> "The raw output is in " + file + ": read it with read_file(path, offset,"
                                        + " limit) instead of running the script again. "
                                        + SpillReading.elsewhere(sandbox))
                                .orElse("Print less, or write the output to a file.")
                        + stdout.spillNote().map(note -> " " + note).orElse(""));
    }

    private void explain(Exit exit, String stderr) {
        exit.outOfMemory().ifPresent(text -> {
            value.put("hint", text);
            value.put("cause", "out_of_memory");
        });
        if (value.containsKey("cause")) {
            return;
        }
        sandbox.advice(stderr).ifPresent(text -> value.put("hint", text));
        FailureHints.hint(stderr, callable).ifPresent(hint -> {
            value.put("hint", hint.text());
            value.put("cause", hint.cause());
        });
        value.putIfAbsent("cause", stderr.contains("SyntaxError") ? "syntax_error" : "script_failed");
    }

    private void repeated(Status status, String error) {
        if (status != Status.ERROR) {
            session.notFailed();
        } else if (session.failedAgain(
                request.code().hashCode() + "/" + request.code().length() + "/" + lastLine(error))) {
            value.put("repeated_failure", true);
            notes.add("This is the same script with the same failure as before; running it again will not help."
                    + " Change it.");
        }
    }

    private static String lastLine(String error) {
        String text = error.strip();
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private void silence(Status status, CapturedOutput stdout, CapturedOutput stderr, RunCalls.Summary calls) {
        if (status != Status.SUCCESS || !stdout.text().isBlank()) {
            return;
        }
        boolean silent = stderr.text().isBlank();
        if (calls.used() == 0) {
            if (silent) {
                notes.add("Finished, no output.");
            }
            return;
        }
        notes.add("Finished, no output. The script called tools but printed none of their results; print what you"
                + " need to see.");
        List<RunCalls.FinishedCall> done = calls.done();
        List<String> digest = new ArrayList<>();
        for (RunCalls.FinishedCall call : done.subList(0, Math.min(MOST_DIGESTED, done.size()))) {
            digest.add(call.tool() + "(" + call.argumentsPreview() + "): " + (call.failed() ? "failed" : "ok") + ", "
                    + call.chars() + " chars");
        }
        if (done.size() > MOST_DIGESTED) {
            digest.add("and " + (done.size() - MOST_DIGESTED) + " more");
        }
        value.put("calls", digest);
    }

    private void leftovers(Exit exit, List<String> unanswered, String unended) {
        if (!unanswered.isEmpty()) {
            value.put("pending_calls", unanswered);
            notes.add("The script ended while calls had no answer yet; they were cancelled."
                    + (unended.isEmpty() ? "" : " Still not ended: " + unended + "."));
        }
        if (exit.leftovers().ended() > 0) {
            value.put("processes_ended", exit.leftovers().ended());
            notes.add("The script left processes running; they were ended with it.");
        }
        if (!exit.leftovers().survivors().isEmpty()) {
            value.put("processes_left", exit.leftovers().survivors());
            notes.add("Some of its processes could not be ended.");
        }
        if (exit.leftovers().drainIncomplete()) {
            value.put("drain_incomplete", true);
            notes.add("Something outside the run still held its output open; what came later is not shown.");
        }
        if (!exit.leftovers().wholeTree()) {
            notes.add("Processes that left the script's session could not be tracked here.");
        }
    }

    private void limits(
            Exit exit, RunCalls.Summary calls, CapturedOutput stdout, CapturedOutput stderr, Duration took) {
        Map<String, Object> limits = new LinkedHashMap<>();
        limits.put("timeout_seconds", used(seconds(took), number(request.timeout())));
        limits.put("tool_calls", used(calls.used(), calls.budget()));
        limits.put("stdout_bytes", used(stdout.bytesTotal(), settings.stdoutBytes()));
        limits.put("stderr_bytes", used(stderr.bytesTotal(), settings.stderrBytes()));
        limits.put(
                "memory_bytes",
                used(
                        exit.peak().memory().isPresent()
                                ? (Object) exit.peak().memory().getAsLong()
                                : "unknown",
                        settings.memoryBytes().<Object>map(bytes -> bytes).orElse("unlimited")));
        Map<String, Object> processes = used(
                exit.peak().processes().isPresent()
                        ? (Object) exit.peak().processes().getAsInt()
                        : "not counted",
                settings.processes().<Object>map(count -> count).orElse("unlimited"));
        exit.peak().bound().ifPresent(bound -> processes.put("bound", bound));
        limits.put("processes", processes);
        value.put("limits", limits);
    }

    private static Map<String, Object> used(Object used, Object allowed) {
        Map<String, Object> pair = new LinkedHashMap<>();
        pair.put("used", used);
        pair.put("allowed", allowed);
        return pair;
    }

    private static double seconds(Duration duration) {
        return Math.round(duration.toNanos() / 1e7) / 100.0; // no BigDecimal: loading it takes longer than a run
    }

    private static Object number(Duration duration) {
        return duration.toMillisPart() == 0 ? (Object) duration.toSeconds() : (Object) (duration.toMillis() / 1000.0);
    }

    private static String plain(Duration duration) {
        return String.valueOf(number(duration));
    }
}
