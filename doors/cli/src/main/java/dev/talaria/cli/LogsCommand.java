package dev.talaria.cli;

import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.admin.ProcessConnection;
import dev.talaria.engine.admin.ProcessLines;
import dev.talaria.engine.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// `talaria logs`: shows the output of a background process.
final class LogsCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "logs",
                "Shows the output of a background process as a terminal would, without secrets. An ID may be shortened.",
                List.of("ID"),
                1,
                List.of(
                        Option.flag("-f", "Follow the output until the process ends."),
                        Option.of("--lines", "N", "Show the last N lines; the default is 200."),
                        Option.flag("--json", "Print one JSON object; with -f one for each line and one for the end.")),
                List.of("talaria logs 3f2a9c", "talaria logs -f 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        ListedProcess process = PsCommand.find(given, console);
        boolean json = given.has("--json");
        if (given.has("-f") && process.status().equals("running")) {
            Consumer<String> show = json
                    ? line -> console.println(Json.text(Map.of("line", line)))
                    : line -> console.print(line + "\n");
            try (ProcessConnection connection =
                    process.follow(lines(given), show).orElseThrow(() -> PsCommand.belongs(process, "followed"))) {
                var _ = connection.await();
            }
            if (json) {
                console.println(Json.text(PsCommand.json(process)));
            }
            return ExitCode.SUCCESS.number();
        }
        ProcessLines page = process.lines(lines(given));
        if (json) {
            console.println(Json.text(Map.of(
                    "session_id", process.id(),
                    "lines", page.lines(),
                    "total_lines", page.total(),
                    "status", process.status())));
        } else {
            page.lines().forEach(line -> console.print(line + "\n"));
        }
        return ExitCode.SUCCESS.number();
    }

    private static int lines(Arguments given) {
        String text = given.value("--lines").orElse("200");
        if (!text.matches("[1-9][0-9]{0,5}")) {
            throw new UsageException("--lines takes a number from 1 to 999999, not '" + text + "'.");
        }
        return Integer.parseInt(text);
    }
}
