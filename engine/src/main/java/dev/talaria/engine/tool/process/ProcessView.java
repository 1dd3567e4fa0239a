package dev.talaria.engine.tool.process;

import dev.talaria.engine.output.CleanText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// Shows a process in results. The step *clean* removes secrets from the commands.
final class ProcessView {
    static final String CUT = "These are the last lines. process(action=\"log\") shows the others.";

    private static final int PREVIEW_CHARS = 200;

    private ProcessView() {}

    static Map<String, Object> head(BackgroundProcess process) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("session_id", process.id());
        value.put("command", process.origin().command());
        value.put("status", process.end().map(ProcessEnd::status).orElse("running"));
        return value;
    }

    static void end(ProcessEnd how, Map<String, Object> value) {
        value.put("exit_code", how.exitCode());
        value.put("completion_reason", how.reason().word());
        how.source().ifPresent(source -> value.put("termination_source", source));
        how.signal().ifPresent(number -> value.put("signal", number));
        how.why().ifPresent(why -> value.put("error", why));
    }

    /// Returns the entry of a process in a list.
    static Map<String, Object> entry(BackgroundProcess process) {
        BackgroundProcess.Origin origin = process.origin();
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("session_id", process.id());
        value.put("command", cut(origin.command()));
        process.cwd().ifPresent(folder -> value.put("cwd", folder));
        process.pid().ifPresent(pid -> value.put("pid", pid));
        value.put("owner_task_id", origin.session());
        value.put("started_at", time(origin.started()));
        value.put("uptime_seconds", process.uptime().toSeconds());
        value.put("status", process.end().map(ProcessEnd::status).orElse("running"));
        value.put("output_preview", new CleanText(process.recent().tail(PREVIEW_CHARS)));
        if (!origin.flags().watch().isEmpty()) {
            value.put("watch_patterns", origin.flags().watch());
            value.put("watch_hit", process.watchHit());
        }
        if (process.notifies()) {
            value.put("notify_on_complete", true);
        }
        if (origin.flags().survives()) {
            value.put("persist_on_release", true);
        }
        if (origin.foundAgain()) {
            value.put("detached", true);
        }
        process.end().ifPresent(how -> {
            end(how, value);
            value.put("exited_at", time(how.at()));
        });
        return value;
    }

    /// Returns a time in this machine's time zone, with its offset.
    static String time(Instant moment) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                moment.atZone(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
    }

    private static String cut(String command) {
        return command.length() <= PREVIEW_CHARS ? command : command.substring(0, PREVIEW_CHARS - 1) + "…";
    }
}
