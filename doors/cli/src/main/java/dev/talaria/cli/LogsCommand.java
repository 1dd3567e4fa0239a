package dev.talaria.cli;

import dev.talaria.engine.Json;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.process.Attached;
import dev.talaria.engine.process.Kept;
import dev.talaria.engine.process.ProcessLog;
import dev.talaria.engine.terminal.CommandMode;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// `talaria logs`: what a process that outlives Talaria has printed.
final class LogsCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "logs",
                "Shows what a background process has printed, as a terminal would, without secrets. An ID may be shortened.",
                List.of("ID"),
                1,
                List.of(
                        Option.flag("-f", "Go on with what it prints until it ends."),
                        Option.of("--lines", "N", "Show the last N lines; 200 if not given."),
                        Option.flag("--json", "Print one JSON object.")),
                List.of("talaria logs 3f2a9c", "talaria logs -f 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Kept kept = PsCommand.find(given, console);
        if (given.has("-f") && kept.status().equals("running")) {
            try (Attached attached = Attached.lines(kept, console::println)) {
                attached.await();
            }
            return ExitCode.SUCCESS.number();
        }
        ProcessLog.Page page =
                kept.log().page(OptionalLong.empty(), lines(given), Redactor.on(), CommandMode.of(kept.command()));
        if (given.has("--json")) {
            console.println(Json.text(Map.of(
                    "session_id",
                    kept.id(),
                    "lines",
                    page.lines(),
                    "total_lines",
                    page.total(),
                    "status",
                    kept.status())));
        } else {
            page.lines().forEach(console::println);
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
