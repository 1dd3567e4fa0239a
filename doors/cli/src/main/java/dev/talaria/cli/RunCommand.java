package dev.talaria.cli;

import dev.talaria.api.Caller;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `talaria run`: runs a script that may call tools.
final class RunCommand implements CliCommand {
    static final String NAME = "run";
    static final Caller CALLER = new Caller("cli", Caller.DEFAULT_SESSION, true);

    @Override
    public Syntax syntax() {
        return new Syntax(
                        NAME,
                        "Runs a Python script that may call tools (from hermes_tools import terminal, "
                                + "read_file, ...). Without FILE the script comes from stdin. Exit code: 0 success, 1 the"
                                + " script failed, 2 wrong usage or configuration, 3 backend not available, 4 "
                                + "denied, 124 timeout, 130 interrupted.",
                        List.of("FILE|-"),
                        0,
                        List.of(Option.flag("--json", "Print the whole result as one JSON object.")),
                        List.of(
                                "talaria run examples/repo-report.py",
                                "echo 'import sys; print(sys.argv[1:])' | talaria run --timeout 10 -- one two"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        boolean json = given.has("--json");
        Optional<String> file = given.positional(0).filter(name -> !name.equals("-"));
        Optional<String> code = file.map(name -> Input.text(name, "a script", console));
        try (Engine engine = EngineOptions.openWarm(given, console)) {
            return run(engine, code.orElseGet(() -> Input.text("-", "the script", console)), rest, json, console);
        } catch (SandboxException e) {
            ToolResult failed = ToolResult.failed(e.code(), String.valueOf(e.getMessage()));
            return new ResultView(console).show(failed, false, json);
        }
    }

    private static int run(Engine engine, String code, List<String> args, boolean json, Console console) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("code", code);
        if (!args.isEmpty()) {
            arguments.put("args", args);
        }
        boolean live = console.outIsTerminal() && !json;
        ToolCall call = ToolCall.of(CALLER, Engine.EXECUTE_CODE, arguments);
        ToolResult result = new Foreground(console, live).call(engine, call);
        return new ResultView(console).show(result, live, json);
    }
}
