package dev.talaria.cli;

import dev.talaria.api.ToolResult;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.json.JsonFields;
import java.util.List;
import java.util.Map;

/// Shows the result of a call: its output on stdout, everything else on stderr.
final class ResultView {
    private static final String RED = "\033[31m";
    private static final String YELLOW = "\033[33m";
    private static final String PLAIN = "\033[0m";

    private final Console console;

    ResultView(Console console) {
        this.console = console;
    }

    /// Shows a script's result and returns the exit code.
    ///
    /// @param shown whether the output was shown while the script ran
    int show(ToolResult result, boolean shown, boolean json) {
        Map<String, Object> value = result.value();
        if (json) {
            showJson(value);
            return ExitCode.of(result).number();
        }
        if (!shown && value.get("output") instanceof String output && !output.isEmpty()) {
            console.print(output.endsWith("\n") ? output : output + "\n");
        }
        switch (result) {
            case ToolResult.Completed _ -> completed(value, shown);
            case ToolResult.Failed failed -> error(failed.message());
            case ToolResult.Denied denied -> error("denied: " + denied.reason());
            case ToolResult.AwaitingApproval waiting -> error(awaiting(waiting));
            case ToolResult.TimedOut _, ToolResult.Cancelled _ -> error(text(value, "error"));
            case ToolResult.Backgrounded background ->
                console.say("Goes on in the background as " + background.process() + ".");
        }
        remarks(value);
        return ExitCode.of(result).number();
    }

    /// Returns the message to the person whom a call waits for. The message in its value is for a model.
    static String awaiting(ToolResult.AwaitingApproval waiting) {
        return "this needs your approval (" + text(waiting.value(), "pattern_key") + "). "
                + text(waiting.value(), "description") + " Answer on a terminal with 'talaria approvals answer "
                + waiting.approval() + "', then run it again.";
    }

    /// Prints a value on one line for programs, and indented for people.
    void showJson(Map<String, Object> value) {
        console.println(console.outIsTerminal() ? Json.pretty(value) : Json.text(value));
    }

    private void completed(Map<String, Object> value, boolean shown) {
        if (ExitCode.of(new ToolResult.Completed(value)) == ExitCode.SUCCESS) {
            return;
        }
        String error = text(value, "error");
        boolean own = error.startsWith("Script "); // our own message, not the script's stderr
        if (!own && !shown) {
            console.say(error.stripTrailing());
        }
        error(own ? error.stripTrailing() : "the script failed" + exit(value));
    }

    private static String exit(Map<String, Object> value) {
        return value.get("exit_code") instanceof Number code && code.intValue() > 0
                ? " with exit code " + code
                : value.get("exit_code") instanceof Number signal ? " by signal " + -signal.intValue() : "";
    }

    private void remarks(Map<String, Object> value) {
        for (String kind : List.of("hint", "warning", "note")) {
            String text = text(value, kind);
            if (!text.isEmpty()) {
                console.say(paint(YELLOW, kind + ":"), " " + text);
            }
        }
        if (value.get("calls") instanceof List<?> calls) {
            calls.forEach(call -> console.say("  " + call));
        }
    }

    private void error(String message) {
        console.say(paint(RED, "talaria:"), " " + message);
    }

    private String paint(String colour, String text) {
        return console.colours() ? colour + text + PLAIN : text;
    }

    private static String text(Map<String, Object> value, String key) {
        return JsonFields.text(value, key).orElse("");
    }
}
