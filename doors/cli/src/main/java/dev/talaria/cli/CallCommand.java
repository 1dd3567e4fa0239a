package dev.talaria.cli;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.json.Json;
import java.util.List;
import java.util.Map;

/// `talaria call`: makes one tool call, as a model would.
final class CallCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "call",
                        "Calls a tool, as a model would, and prints its result as JSON. Exit codes are "
                                + "those of run.",
                        List.of("TOOL", "JSON|@FILE|-"),
                        2,
                        List.of(),
                        List.of("talaria call terminal '{\"command\": \"uname -a\"}'"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Map<String, Object> arguments = arguments(given.positional(1).orElse("{}"), console);
        String tool = given.positional(0).orElse("");
        try (Engine engine = open(tool, given, console)) {
            ToolCall call = ToolCall.of(RunCommand.CALLER, tool, arguments);
            ToolResult result = new Foreground(console, false).call(engine, call);
            new ResultView(console).showJson(result.value());
            return ExitCode.of(result).number();
        }
    }

    /// Commands have a timeout of their own among the settings, and settings come before there is an engine to
    /// ask.
    private static Engine open(String tool, Arguments given, Console console) {
        return tool.equals(Engine.TERMINAL) && given.has("--timeout")
                ? EngineOptions.open(
                        given.without("--timeout"),
                        Map.of("terminal.timeout", given.value("--timeout").orElse("")),
                        console)
                : EngineOptions.open(given, console);
    }

    private static Map<String, Object> arguments(String written, Console console) {
        String json = written.equals("-")
                ? Input.text("-", "the arguments as JSON", console)
                : written.startsWith("@") ? Input.text(written.substring(1), "a JSON file", console) : written;
        try {
            return Json.object(json);
        } catch (IllegalArgumentException e) {
            throw new UsageException("the arguments are no JSON object (" + e.getMessage()
                    + "). Write them like '{\"path\": \"README.md\"}'.");
        }
    }
}
