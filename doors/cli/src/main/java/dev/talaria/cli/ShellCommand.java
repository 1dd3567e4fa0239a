package dev.talaria.cli;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.json.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// `talaria sh`: runs commands as a model's `terminal` would: the one after `--`, or line by line.
final class ShellCommand implements CliCommand {
    static final String NAME = "sh";

    private static final String PROMPT = "talaria$ ";

    /// A line that ends the shell. Its bash evaluates the exit code.
    private static final Pattern EXIT = Pattern.compile("^exit[\\s;]");

    @Override
    public Syntax syntax() {
        return new Syntax(
                        NAME,
                        "Runs shell commands in the sandbox. The command after '--' reads stdin if that is a pipe or a file,"
                                + " and its exit code becomes that of talaria. Without '--' each line that you type is a"
                                + " command. The folder and exported variables persist. Ctrl-C ends the running command;"
                                + " Ctrl-D or exit ends the shell.",
                        List.of(),
                        0,
                        List.of(Option.of("--workdir", "FOLDER", "The folder for the command after '--'.")),
                        List.of(
                                "talaria sh -- uname -a",
                                "talaria sh --backend bubblewrap -- 'cd /tmp && ls | wc -l'",
                                "talaria sh -- wc -c < large.bin",
                                "talaria sh"))
                .with(EngineOptions.FOR_COMMANDS);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) throws IOException {
        // A waiting person can interrupt, and needs no other limit.
        Map<String, String> times = Map.of(
                "terminal.timeout",
                given.value("--timeout").orElse("unlimited"),
                "terminal.foreground-ceiling",
                "unlimited");
        try (Engine engine = EngineOptions.open(given.without("--timeout"), times, console)) {
            return rest.isEmpty() ? lines(engine, console) : one(engine, line(rest), given, console);
        }
    }

    /// Returns the command line. One word is a whole command line; several words are a program and its
    /// arguments.
    private static String line(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : String.join(" ", words.stream().map(ShellCommand::quoted).toList());
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static int one(Engine engine, String command, Arguments given, Console console) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("command", command);
        arguments.put("trim", false); // a shell shows the output unchanged, to the last line break
        given.value("--workdir").ifPresent(folder -> arguments.put("workdir", folder));
        ToolCall call = ToolCall.of(RunCommand.CALLER, Engine.TERMINAL, arguments);
        return call(
                engine,
                console.inIsTerminal() ? call : call.reading(console.in()),
                new Foreground(console, console.outIsTerminal()),
                console);
    }

    private static int lines(Engine engine, Console console) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
        Foreground foreground = new Foreground(console, console.outIsTerminal());
        int last = 0;
        while (true) {
            prompt(console);
            String line = in.readLine();
            if (line == null) {
                if (console.inIsTerminal()) {
                    console.say("");
                }
                return last;
            }
            String command = line.strip();
            if (command.equals("exit")) {
                return last;
            }
            if (!command.isEmpty()) {
                last = call(
                        engine,
                        ToolCall.of(RunCommand.CALLER, Engine.TERMINAL, Map.of("command", line, "trim", false)),
                        foreground,
                        console);
            }
            if (EXIT.matcher(command).find()) {
                return last;
            }
        }
    }

    private static void prompt(Console console) {
        if (console.inIsTerminal()) {
            console.printErr(PROMPT);
        }
    }

    /// Returns the error for the person, without the message to a model about the refusal.
    private static Optional<String> error(ToolResult result) {
        return switch (result) {
            case ToolResult.Denied denied -> Optional.of(denied.reason());
            case ToolResult.AwaitingApproval waiting -> Optional.of(ResultView.awaiting(waiting));
            case ToolResult.Completed _,
                    ToolResult.Failed _,
                    ToolResult.TimedOut _,
                    ToolResult.Cancelled _,
                    ToolResult.Backgrounded _ -> JsonFields.text(result.value(), "error");
        };
    }

    private static int call(Engine engine, ToolCall call, Foreground foreground, Console console) {
        ToolResult result = foreground.call(engine, call);
        Map<String, Object> value = result.value();
        if (!console.outIsTerminal() && value.get("output") != null) {
            console.print(String.valueOf(value.get("output")));
        }
        error(result).ifPresent(error -> console.say("talaria: " + error));
        for (String key : List.of("exit_code_meaning", "hint", "fallback", "full_output_path")) {
            if (value.get(key) instanceof String text && console.errIsTerminal()) {
                console.say("[" + text + "]");
            }
        }
        boolean ran = switch (result) {
            case ToolResult.Completed _, ToolResult.TimedOut _, ToolResult.Cancelled _ -> true;
            case ToolResult.Failed _, ToolResult.Denied _, ToolResult.AwaitingApproval _, ToolResult.Backgrounded _ ->
                false;
        };
        return ran && value.get("exit_code") instanceof Number code
                ? code.intValue()
                : ExitCode.of(result).number();
    }
}
