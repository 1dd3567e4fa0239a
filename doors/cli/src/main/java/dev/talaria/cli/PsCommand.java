package dev.talaria.cli;

import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.json.Json;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `talaria ps`: lists the background processes of every Talaria of this user.
final class PsCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "ps",
                "Lists the background processes of all your Talarias. A process ends with the Talaria whose process id is"
                        + " in brackets, unless it was started with persist_on_release.",
                List.of(),
                0,
                List.of(Option.flag("--json", "Print the list as one JSON object.")),
                List.of("talaria ps", "talaria ps --json"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        List<ListedProcess> all = Engine.admin(console.environment()).processes();
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

    static Map<String, Object> json(ListedProcess one) {
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

    /// Returns the process that an argument names.
    static ListedProcess find(Arguments given, Console console) {
        String id = given.positional(0).orElse("").strip();
        String tail = id.startsWith("proc_") ? id.substring(5) : id;
        List<ListedProcess> found = Engine.admin(console.environment()).processes().stream()
                .filter(one -> tail.length() >= 4 && one.id().startsWith("proc_" + tail))
                .toList();
        if (found.size() != 1) {
            throw new UsageException(
                    "no process, or more than one, has the id " + id + ". 'talaria ps' lists those that there are.");
        }
        return found.getFirst();
    }

    /// Returns the refusal of an action on a process that ends with its Talaria.
    static UsageException belongs(ListedProcess process, String done) {
        return new UsageException(process.id() + " belongs to the running Talaria "
                + process.endsWith().orElseThrow() + " and cannot be " + done
                + " from here: that takes persist_on_release. 'talaria logs " + process.id()
                + "' shows what it has printed.");
    }
}
