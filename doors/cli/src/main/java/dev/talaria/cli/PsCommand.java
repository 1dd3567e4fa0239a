package dev.talaria.cli;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.tool.process.ProcessListing;
import dev.talaria.engine.tool.process.PublishedProcess;
import dev.talaria.engine.tool.process.SurvivingProcess;
import dev.talaria.engine.util.Json;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `talaria ps`: the background processes of every Talaria of this user.
final class PsCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "ps",
                "Lists background processes, whoever started them. Each ends with the Talaria whose process id is told in"
                        + " brackets, unless it was started with persist_on_release.",
                List.of(),
                0,
                List.of(Option.flag("--json", "Print one JSON object.")),
                List.of("talaria ps", "talaria ps --json"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        List<ProcessListing> all = ProcessListing.all(Folders.of(console.environment()));
        if (given.has("--json")) {
            console.println(Json.text(
                    Map.of("processes", all.stream().map(PsCommand::json).toList())));
        } else if (all.isEmpty()) {
            console.println("There are none.");
        } else {
            all.forEach(one -> console.println(one.id() + "  " + one.pid() + "  " + one.status()
                    + one.exitCode().map(code -> " " + code).orElse("") + "  "
                    + one.started().truncatedTo(ChronoUnit.SECONDS) + "  "
                    + one.command().lines().findFirst().orElse("").strip()
                    + (one.endsWith().isPresent()
                            ? "  (talaria " + one.endsWith().getAsLong() + ")"
                            : "")));
        }
        return ExitCode.SUCCESS.number();
    }

    static Map<String, Object> json(ProcessListing one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("session_id", one.id());
        json.put("pid", one.pid());
        json.put("status", one.status());
        one.exitCode().ifPresent(code -> json.put("exit_code", code));
        json.put("started_at", one.started().toString());
        json.put("command", one.command());
        one.cwd().ifPresent(folder -> json.put("cwd", folder));
        json.put("persist_on_release", one.endsWith().isEmpty());
        one.endsWith().ifPresent(pid -> json.put("talaria_pid", pid));
        return json;
    }

    /// Returns the one that an argument names.
    static ProcessListing find(Arguments given, Console console) {
        String id = given.positional(0).orElse("").strip();
        String tail = id.startsWith("proc_") ? id.substring(5) : id;
        List<ProcessListing> found = ProcessListing.all(Folders.of(console.environment())).stream()
                .filter(one -> tail.length() >= 4 && one.id().startsWith("proc_" + tail))
                .toList();
        if (found.size() != 1) {
            throw new UsageException(
                    "no process, or more than one, has the id " + id + ". 'talaria ps' lists those that there are.");
        }
        return found.getFirst();
    }

    /// Returns a process that outlives Talaria; others can be seen and ended, but not `done` to.
    static SurvivingProcess kept(ProcessListing process, String done) {
        return switch (process) {
            case SurvivingProcess kept -> kept;
            case PublishedProcess owned ->
                throw new UsageException(owned.id() + " belongs to the running Talaria "
                        + owned.endsWith().orElseThrow() + " and cannot be " + done
                        + " from here: that takes persist_on_release. 'talaria logs " + owned.id()
                        + "' shows what it has printed.");
        };
    }
}
