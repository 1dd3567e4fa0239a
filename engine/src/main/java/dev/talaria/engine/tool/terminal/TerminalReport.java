package dev.talaria.engine.tool.terminal;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.output.CapturedOutput;
import dev.talaria.engine.output.CleanText;
import dev.talaria.engine.output.SpillReading;
import dev.talaria.engine.shell.ForegroundAdvice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the result of a command.
///
/// @param request the request
/// @param outcome how the command ended
/// @param captured its output
/// @param chars the number of characters of its output
/// @param notes further remarks for the caller, such as an unusual way of running the command
/// @param sandbox the sandbox that it ran in
record TerminalReport(
        TerminalRequest request,
        Outcome outcome,
        CapturedOutput captured,
        long chars,
        List<String> notes,
        Sandbox sandbox) {

    private static final int CANNOT_EXECUTE = 126;
    private static final int TIMED_OUT = 124;
    private static final int INTERRUPTED = 130;
    private static final int UNKNOWN = -1;

    ToolResult result() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", new CleanText(request.trim() ? trimmed(output()) : output()));
        value.put("exit_code", code());
        Optional<String> lost = lost();
        value.put("error", lost.or(() -> outcome.exit().status().lost()).orElse(null));
        outcome.exit().shell().flatMap(Exit.ShellEnd::cwd).ifPresent(cwd -> value.put("cwd", cwd));
        if (captured.truncated()) {
            value.put("output_total_chars", chars);
            captured.spill().ifPresent(file -> {
                value.put("full_output_path", file.toString());
                value.put(
                        "truncation_note",
                        "Read the rest with read_file instead of running the command again. "
                                + SpillReading.elsewhere(sandbox));
            });
        }
        Optional<String> meaning = meaning();
        meaning.ifPresent(text -> value.put("exit_code_meaning", text));
        String hint = String.join(" ", hints());
        if (!hint.isEmpty()) {
            value.put("hint", hint);
        }
        ends(value);
        if (lost.isPresent()) {
            value.put("status", "error");
            return new ToolResult.Failed(ErrorCode.SANDBOX_LOST, lost.get(), value);
        }
        return outcome.result(request.timeout(), value);
    }

    /// Returns the explanation for a command whose end is not known. The command is not repeated: it may have
    /// done its work.
    private Optional<String> lost() {
        return outcome instanceof Outcome.Exited(Exit exit)
                ? exit.status()
                        .lost()
                        .map(why -> why + (why.endsWith(".") ? "" : ".")
                                + " The command was not run again: it may have run, wholly or in part. Look at what it"
                                + " has done before you repeat it.")
                : Optional.empty();
    }

    private String output() {
        String text = outcome.exit().status().notStarted().map(this::notStarted).orElse("") + captured.text();
        return switch (outcome) {
            case Outcome.Exited _ -> text;
            case Outcome.TimedOut _ -> text + "\n[Command timed out after " + shown(request.timeout()) + "]";
            case Outcome.Cancelled _ -> text + "\n[Command interrupted]";
        };
    }

    /// Returns the text without blank lines at its start and end. The first line stays indented, since the
    /// indent of `git status -s` has a meaning.
    static String trimmed(String text) {
        String end = text.stripTrailing();
        int line = end.length() - end.stripLeading().length();
        return end.substring(end.lastIndexOf('\n', line) + 1);
    }

    private String notStarted(String why) {
        return request.workdir().isPresent()
                ? why + "\nThe command was not run: 'workdir' must be a folder that is there and may be entered.\n"
                : why + "\nThe command was not run.\n";
    }

    private int code() {
        return switch (outcome) {
            case Outcome.Exited _ when lost().isPresent() -> UNKNOWN;
            case Outcome.Exited(Exit exit) ->
                exit.status().notStarted().isPresent() ? CANNOT_EXECUTE : exit.shellCode();
            case Outcome.TimedOut _ -> TIMED_OUT;
            case Outcome.Cancelled _ -> INTERRUPTED;
        };
    }

    private Optional<String> meaning() {
        return outcome instanceof Outcome.Exited(Exit exit)
                        && exit.status().notStarted().isEmpty()
                        && lost().isEmpty()
                ? ExitMeaning.of(request.command(), exit)
                : Optional.empty();
    }

    private List<String> hints() {
        List<String> hints = new ArrayList<>();
        int code = code();
        if (outcome.exit().status().notStarted().isEmpty() && lost().isEmpty()) {
            if (code == 0) {
                MaskedFailure.warning(request.command(), captured.text()).ifPresent(hints::add);
            } else if (code != INTERRUPTED) {
                Optional<String> here = sandbox.advice(captured.text());
                here.ifPresent(hints::add);
                outcome.exit()
                        .outOfMemory()
                        .filter(_ -> !outcome.exit().killed())
                        .ifPresent(hints::add);
                if (meaning().isEmpty() && hints.isEmpty()) {
                    RecoveryAdvice.hint(captured.text(), code).ifPresent(hints::add);
                }
            }
            ForegroundAdvice.of(
                            request.command(),
                            outcome instanceof Outcome.TimedOut
                                    || outcome.exit().leftovers().ended() > 0)
                    .or(() -> outcome.exit().leftovers().ended() > 0 && outcome instanceof Outcome.Exited
                            ? Optional.of(
                                    "What the command left running was ended with it. Run it with background=true if"
                                            + " it is to go on.")
                            : Optional.empty())
                    .ifPresent(hints::add);
        }
        return hints;
    }

    private void ends(Map<String, Object> value) {
        Exit exit = outcome.exit();
        if (exit.leftovers().ended() > 0) {
            value.put("processes_ended", exit.leftovers().ended());
        }
        if (!exit.leftovers().survivors().isEmpty()) {
            value.put("processes_alive", exit.leftovers().survivors());
        }
        if (exit.leftovers().drainIncomplete()) {
            value.put(
                    "drain_incomplete",
                    "A process outside this command still held its output open; what it printed later than 0.5 s"
                            + " after the end is not shown.");
        }
        List<String> all = new ArrayList<>(notes);
        exit.shell().flatMap(Exit.ShellEnd::note).ifPresent(all::add);
        if (!all.isEmpty()) {
            value.put("fallback", String.join(" ", all));
        }
    }

    /// Returns the result of a command that was not started, since its call could not wait for the sandbox.
    static ToolResult notRun(GaveUpException why, Duration timeout) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put(
                "output",
                why.cancelled().isPresent()
                        ? "[Command interrupted before it was started]"
                        : "[Command timed out after " + shown(timeout) + ", before the sandbox was open]");
        value.put("exit_code", why.cancelled().isPresent() ? INTERRUPTED : TIMED_OUT);
        value.put("error", null);
        return why.result(timeout, value);
    }

    private static String shown(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + "s" : timeout.toMillis() + "ms";
    }
}
