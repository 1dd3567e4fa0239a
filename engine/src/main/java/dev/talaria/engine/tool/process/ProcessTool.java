package dev.talaria.engine.tool.process;

import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.TerminalSettings;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.JobSpec.Screen;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.CleanText;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The tool `process`: shows, waits for, writes to and ends background processes.
public final class ProcessTool implements Tool {
    /// The name that models call the tool by.
    public static final String NAME = "process";

    private static final int POLL_CHARS = 1000;
    private static final int LOG_LINES = 200;
    private static final int MOST_LOG_LINES = 100_000;
    private static final int MOST_INPUT = 1 << 20;
    private static final String TOO_LONG = "'data' may have " + MOST_INPUT
            + " bytes at most. Write it to a file and have the process read that, or write it in parts.";
    private static final List<String> ACTIONS =
            List.of("list", "poll", "log", "wait", "kill", "write", "submit", "close", "resize");
    private static final Set<String> INPUT = Set.of("write", "submit");

    private final ToolSpec spec;
    private final Duration longestWait;
    private final ProcessRegistry registry;
    private final Redactor redactor;

    public ProcessTool(TerminalSettings settings, ProcessRegistry registry, Redactor redactor) {
        this.spec = SpecFile.read(ProcessTool.class, NAME, settings.told()).forModels();
        this.longestWait = settings.timeout().standard();
        this.registry = registry;
        this.redactor = redactor;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return Optional.empty();
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        String process = String.valueOf(arguments.get("session_id")).strip();
        String data = JsonFields.text(arguments, "data").orElse("");
        return switch (String.valueOf(arguments.get("action"))) {
            case "write" -> new Effect.Typing(process, data);
            case "submit" -> new Effect.Typing(process, data + "\n");
            default -> new Effect.Harmless();
        };
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return Optional.of(Set.of("task_id"));
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        Object action = arguments.get("action");
        if (!(action instanceof String name) || !ACTIONS.contains(name)) {
            return Optional.of("'action' must be one of " + String.join(", ", ACTIONS) + ".");
        }
        if (!name.equals("list") && id(arguments).isEmpty()) {
            return Optional.of(
                    "process(action=\"" + name + "\") needs 'session_id': the id that terminal(background=true)"
                            + " returned. process(action=\"list\") shows those that there are.");
        }
        if (arguments.get("timeout") instanceof Number seconds && !(seconds.doubleValue() > 0)) {
            return Optional.of("'timeout' must be more than 0 seconds; process(action=\"poll\") does not wait at all.");
        }
        if (INPUT.contains(name) && !(arguments.get("data") instanceof String) && !name.equals("submit")) {
            return Optional.of("process(action=\"write\") needs 'data': the text to write.");
        }
        if (arguments.get("data") instanceof String data && data.length() > MOST_INPUT) {
            return Optional.of(TOO_LONG);
        }
        for (String number : List.of("offset", "limit", "rows", "columns")) {
            if (arguments.get(number) instanceof Number value
                    && value.longValue() < (number.equals("offset") ? 0 : 1)) {
                return Optional.of("'" + number + "' must be " + (number.equals("offset") ? 0 : 1) + " or more.");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> id(Map<String, Object> arguments) {
        return Optional.ofNullable(arguments.get("session_id"))
                .map(String::valueOf)
                .map(String::strip)
                .filter(id -> !id.isEmpty());
    }

    @Override
    public ToolResult call(ToolContext context) {
        String action = String.valueOf(context.arguments().get("action"));
        String session = context.call().caller().session();
        if (action.equals("list")) {
            return ToolResult.completed(
                    "processes",
                    registry.of(session).stream().map(ProcessView::entry).toList());
        }
        String id = id(context.arguments()).orElseThrow();
        List<BackgroundProcess> found = registry.matching(session, id);
        if (found.size() != 1) {
            return failed("not_found", unknown(id, found));
        }
        BackgroundProcess process = found.getFirst();
        return switch (action) {
            case "poll" -> poll(process);
            case "log" -> log(process, context.arguments());
            case "wait" -> await(process, context);
            case "kill" -> kill(process, context);
            case "close" -> close(process);
            case "resize" -> resize(process, context.arguments());
            default -> write(process, context, action.equals("submit"));
        };
    }

    private static String unknown(String id, List<BackgroundProcess> found) {
        return found.isEmpty()
                ? "No process with ID " + id + ". process(action=\"list\") shows those that there are; an ID may be"
                        + " shortened to 4 characters after proc_."
                : "No process with ID " + id + ", but " + found.size() + " begin like that: "
                        + String.join(
                                ", ", found.stream().map(BackgroundProcess::id).toList())
                        + ". Give more of the one you mean.";
    }

    private static ToolResult failed(String status, String message) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("status", status);
        value.put("error", message);
        return new ToolResult.Failed(ErrorCode.INVALID_ARGUMENT, message, value);
    }

    private static ToolResult poll(BackgroundProcess process) {
        Map<String, Object> value = ProcessView.head(process);
        process.pid().ifPresent(pid -> value.put("pid", pid));
        value.put("uptime_seconds", process.uptime().toSeconds());
        value.put("output_preview", new CleanText(process.recent().tail(POLL_CHARS)));
        process.end().ifPresent(how -> ProcessView.end(how, value));
        if (process.origin().foundAgain()) {
            value.put("detached", true);
            value.put(
                    "note",
                    "An earlier Talaria started this process. It was found again with its output, and every session"
                            + " may use it.");
        }
        return new ToolResult.Completed(value);
    }

    private ToolResult log(BackgroundProcess process, Map<String, Object> arguments) {
        boolean over = process.end().isPresent(); // asked first: later output belongs to the next page
        int limit = arguments.get("limit") instanceof Number number
                ? (int) Math.min(number.longValue(), MOST_LOG_LINES)
                : LOG_LINES;
        OptionalLong offset = JsonFields.longNumber(arguments, "offset");
        Redactor.Mode mode = process.recent().mode();
        ProcessLog.Page page = offset.isPresent()
                ? process.log().page(offset.getAsLong(), limit, redactor, mode)
                : process.log().lastPage(limit, redactor, mode);
        Map<String, Object> value = ProcessView.head(process);
        value.put("output", new CleanText(String.join("\n", page.lines())));
        value.put("total_lines", page.total());
        if (page.dropped() > 0) {
            value.put("lines_dropped", page.dropped());
        }
        long last = page.first() + page.lines().size();
        value.put(
                "showing",
                page.lines().isEmpty()
                        ? "nothing"
                        : "lines " + page.first() + " to " + (last - 1) + " of " + page.total());
        process.end().ifPresent(how -> ProcessView.end(how, value));
        if (over && last >= page.total()) {
            registry.seen(process);
        }
        return new ToolResult.Completed(value);
    }

    private ToolResult await(BackgroundProcess process, ToolContext context) {
        Duration wanted = JsonFields.seconds(context.arguments(), "timeout").orElse(longestWait);
        Duration limit = wanted.compareTo(longestWait) > 0 ? longestWait : wanted;
        context.waitingFor(() -> "process " + process.id());
        try {
            registry.await(process, Patience.of(context).atMost(limit));
        } catch (GaveUpException e) {
            Map<String, Object> value = ProcessView.head(process);
            value.put("status", e.cancelled().isPresent() ? "interrupted" : "timeout");
            value.put("process_running", process.running());
            value.put("output", new CleanText(process.recent().tail(NoticeSender.OUTPUT_CHARS)));
            value.put(
                    "timeout_note",
                    "The process still runs, since " + process.uptime().toSeconds() + " s"
                            + (wanted.compareTo(limit) > 0 ? " (a wait lasts " + limit.toSeconds() + " s at most)" : "")
                            + ". Wait again, look with poll, or end it with kill.");
            return e.cancelled()
                    .<ToolResult>map(reason -> new ToolResult.Cancelled(reason, value))
                    .orElseGet(() -> new ToolResult.Completed(value));
        }
        return new ToolResult.Completed(over(process));
    }

    /// Returns how the process ended, with its last output. Its session gets no notice of the end any more.
    private Map<String, Object> over(BackgroundProcess process) {
        registry.seen(process);
        Map<String, Object> value = ProcessView.head(process);
        process.end().ifPresent(how -> ProcessView.end(how, value));
        RollingOutput.Tail output = process.lastWords();
        value.put("output", new CleanText(output.text()));
        if (output.cut()) {
            value.put("output_cut", ProcessView.CUT);
        }
        return value;
    }

    private ToolResult kill(BackgroundProcess process, ToolContext context) {
        if (!process.running()) {
            Map<String, Object> value = over(process);
            value.put("status", "already_exited");
            return new ToolResult.Completed(value);
        }
        registry.kill(process);
        context.waitingFor(() -> "the end of process " + process.id());
        try {
            ProcessEnd how =
                    Patience.of(context).atMost(BackgroundProcess.KILL_TAKES).await(process.ended());
            Map<String, Object> value = over(process);
            if (how.survivors().isEmpty()) {
                value.put("status", how.reason() == ProcessEnd.Reason.LOST ? "lost" : "killed");
                return new ToolResult.Completed(value);
            }
            return survived(value, how.survivors());
        } catch (GaveUpException e) {
            return survived(ProcessView.head(process), List.of());
        }
    }

    private static ToolResult survived(Map<String, Object> value, List<String> survivors) {
        String message = survivors.isEmpty()
                ? "The sandbox has not confirmed the end of the process yet. Poll it."
                : "Some of its processes could not be ended: " + String.join(", ", survivors) + ".";
        value.put("status", "error");
        value.put("error", message);
        value.put("survivors", survivors);
        value.put("process_running", true);
        return new ToolResult.Failed(ErrorCode.TOOL_FAILED, message, value);
    }

    private static ToolResult write(BackgroundProcess process, ToolContext context, boolean line) {
        if (!process.running()) {
            return exited(process);
        }
        if (process.inputEnded()) {
            return failed(
                    "error",
                    "The process has no input any more: it was closed, or the process was started as a command in the"
                            + " foreground. Start one with background=true to write to it.");
        }
        String data = JsonFields.text(context.arguments(), "data").orElse("");
        String all = line ? data + (process.pty() ? "\r" : "\n") : data;
        byte[] bytes = all.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_INPUT) {
            return failed("error", TOO_LONG);
        }
        process.recent().typed(all);
        Optional<Boolean> written = process.input().write(context.call(), all, () -> process.write(bytes));
        if (written.isEmpty()) {
            return failed(
                    "error",
                    "Something else was written to the process at the same time, so this was not. Write it again: one"
                            + " after the other.");
        }
        if (!written.get()) {
            return failed(
                    "error",
                    "The process does not read its input: what was written before still waits. Try again later, or kill"
                            + " it.");
        }
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("status", "ok");
        value.put("bytes_written", data.codePointCount(0, data.length()));
        return new ToolResult.Completed(value);
    }

    private static ToolResult close(BackgroundProcess process) {
        if (!process.running()) {
            return exited(process);
        }
        process.endInput();
        return ToolResult.completed("status", "ok");
    }

    private static ToolResult resize(BackgroundProcess process, Map<String, Object> arguments) {
        if (!process.running()) {
            return exited(process);
        }
        if (!process.pty()) {
            return failed("error", "The process has no terminal. Start it with pty=true to give it one.");
        }
        int rows = JsonFields.number(arguments, "rows").orElse(Screen.STANDARD.rows());
        int columns = JsonFields.number(arguments, "columns").orElse(Screen.STANDARD.columns());
        process.resize(new Screen(Math.clamp(rows, 1, 10_000), Math.clamp(columns, 1, 10_000)));
        return ToolResult.completed("status", "ok");
    }

    private static ToolResult exited(BackgroundProcess process) {
        Map<String, Object> value = ProcessView.head(process);
        String message =
                "The process has ended, so nobody reads its input. process(action=\"log\") shows what it printed.";
        process.end().ifPresent(how -> ProcessView.end(how, value));
        value.put("status", "already_exited");
        value.put("error", message);
        return new ToolResult.Failed(ErrorCode.INVALID_ARGUMENT, message, value);
    }
}
