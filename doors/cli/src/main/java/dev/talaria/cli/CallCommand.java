package dev.talaria.cli;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.Json;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `talaria call`: makes one call, as a model would.
final class CallCommand implements CliCommand {

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command(
                "call",
                "Calls a tool, as a model would, and prints its result as JSON.",
                "TOOL JSON|@FILE|- [OPTIONS]",
                "talaria call terminal '{\"command\": \"uname -a\"}'");
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(RunCommand.exitCodes());
        spec.addPositional(Options.parameter("0", "1", "TOOL", "The name of the tool; talaria schema lists them."));
        spec.addPositional(
                Options.parameter("1", "1", "JSON|@FILE|-", "The arguments: a JSON object, in a file, or on stdin."));
        return EngineOptions.addTo(spec);
    }

    @Override
    public int run(ParseResult given, List<String> rest, Console console) {
        Map<String, Object> arguments = arguments(Options.positional(given, 1, "{}"), console);
        try (Engine engine = EngineOptions.open(given, console)) {
            ToolCall call = ToolCall.of(RunCommand.CALLER, Options.positional(given, 0, ""), arguments);
            ToolResult result = new Foreground(console, false).call(engine, call);
            new ResultView(console).showJson(result.value());
            return ExitCode.of(result).number();
        }
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
