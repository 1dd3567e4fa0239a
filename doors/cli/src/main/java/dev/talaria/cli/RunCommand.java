package dev.talaria.cli;

import dev.talaria.api.Caller;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.schema.ExecuteCodeSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// `talaria run`: runs a script that may call tools.
final class RunCommand implements CliCommand {
    static final String NAME = "run";
    static final Caller CALLER = new Caller("cli", Caller.DEFAULT_SESSION);

    @Override
    public CommandSpec spec() {
        CommandSpec spec = Options.command(
                NAME,
                "Runs a Python script that may call tools: from hermes_tools import terminal, read_file, ...",
                "[FILE|-] [OPTIONS] [-- ARGS]",
                "talaria run examples/repo-report.py",
                "echo 'import sys; print(sys.argv[1:])' | talaria run --timeout 10 -- one two");
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(exitCodes());
        spec.addPositional(Options.parameter("0", "0..1", "FILE", "The script; '-' or nothing means stdin."));
        EngineOptions.addTo(spec);
        return spec.addOption(Options.flag("--json", "Print the whole result as one JSON object."));
    }

    static Map<String, String> exitCodes() {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put("0", "success");
        codes.put("1", "the script failed");
        codes.put("2", "the command line or the configuration is wrong");
        codes.put("3", "the backend is not available");
        codes.put("4", "denied");
        codes.put("124", "timeout");
        codes.put("130", "interrupted");
        return codes;
    }

    @Override
    public int run(ParseResult given, List<String> rest, Console console) {
        boolean json = Options.has(given, "--json");
        String file = Options.positional(given, 0, "-");
        if (!file.equals("-")) {
            return run(given, Input.text(file, "a script", console), rest, json, console);
        }
        return run(given, Input.text("-", "the script", console), rest, json, console);
    }

    private static int run(ParseResult given, String code, List<String> args, boolean json, Console console) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("code", code);
        if (!args.isEmpty()) {
            arguments.put("args", args);
        }
        boolean live = console.outIsTerminal() && !json;
        try (Engine engine = EngineOptions.open(given, console)) {
            if (EngineOptions.local(engine.settings())) {
                Thread.ofVirtual().start(() -> warm(engine));
            }
            ToolCall call = ToolCall.of(CALLER, ExecuteCodeSpec.NAME, arguments);
            ToolResult result = new Foreground(console, live).call(engine, call);
            return new ResultView(console).show(result, live, json);
        }
    }

    /// Starts the interpreter while this thread gets ready to call.
    private static void warm(Engine engine) {
        try {
            engine.warm(CALLER.session());
        } catch (SandboxException e) {
            // The call itself will say so.
        }
    }
}
