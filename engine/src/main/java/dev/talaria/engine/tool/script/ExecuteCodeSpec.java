package dev.talaria.engine.tool.script;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.toolcalls.stub.ToolSignature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Describes `execute_code` to the model: which tools its scripts can call, where they run and what
/// their limits are.
final class ExecuteCodeSpec {
    private static final int MAX_TOOL_TEXT = 300;

    private ExecuteCodeSpec() {}

    /// The limits of a script.
    ///
    /// @param timeout the time, if the call does not ask for another
    /// @param longestTimeout the longest time that a call can ask for
    /// @param toolCalls the number of tool calls, if the call does not ask for another
    /// @param mostToolCalls the largest number of tool calls that a call can ask for
    /// @param stdoutBytes the number of bytes of its output that are returned
    record Limits(
            Duration timeout, Duration longestTimeout, int toolCalls, int mostToolCalls, long stdoutBytes) {

        Limits {
            if (timeout.compareTo(longestTimeout) > 0 || toolCalls > mostToolCalls) {
                throw new IllegalArgumentException(
                        "The default timeout and tool calls must not be above their ceilings: " + timeout + " of "
                                + longestTimeout + ", " + toolCalls + " of " + mostToolCalls + ".");
            }
        }
    }

    /// Returns the tool for scripts that can call the given tools.
    ///
    /// @param callable the tools, in any order
    /// @param closed the parameters that scripts must not use, by tool
    /// @param mode `strict` for a folder of the script's own; anything else means the session's
    ///     working folder
    /// @param limits the limits that hold for this session
    static ToolSpec spec(List<ToolSpec> callable, Map<String, Set<String>> closed, String mode, Limits limits) {
        var functions = ToolSignature.of(callable, List.of());
        var description = description(functions, closed, mode, limits);
        return new ToolSpec(ExecuteCodeTool.NAME, description, parameters(functions, limits));
    }

    private static String description(
            List<ToolSignature> functions, Map<String, Set<String>> closed, String mode, Limits limits) {
        var parts = new ArrayList<String>();
        parts.add("""
                Runs a Python script that can call the agent's tools while it runs; only what it prints comes back. Use it \
                for three or more tool calls with logic between them: loops over files or pages, branches, retries, and \
                results too large to read that the script filters or sums up.""");
        parts.add("""
                Use ordinary tool calls for a single step, for a result you must read in full and think about, and for \
                whatever needs an answer from the user.""");
        parts.add(functions.isEmpty() ? "No tools can be called from scripts in this session." : tools(functions));
        parts.add("""
                Helpers, imported from hermes_tools in the same way:
                  json_parse(text) parses JSON printed by programs, raw control characters included
                  shell_quote(s) makes text one safe word of a shell command
                  retry(fn, max_attempts=3, delay=2) calls fn again when it raises, waiting longer each time""");
        parts.add(limits(functions, closed, limits));
        parts.add("Each run starts fresh: variables and imports do not persist from one run to the next; files do. "
                + where(mode));
        parts.add(
                "Print what you need to know at the end: nothing but printed text comes back. The standard library is "
                        + "always there for the work between calls.");
        return String.join("\n\n", parts);
    }

    private static String tools(List<ToolSignature> functions) {
        var lines = functions.stream()
                .map(function -> "  " + function.declaration() + " -> dict\n    " + shortened(function.description()))
                .collect(Collectors.joining("\n"));
        var first = functions.getFirst().function();
        return "Import with `from hermes_tools import ...`:\n\n" + lines + "\n\n"
                + "Calls return dicts, parsed already. Calls may run at the same time, from threads or with asyncio: "
                + "`from hermes_tools import aio`, then `await asyncio.gather(aio." + first + "(...), aio." + first
                + "(...))`.";
    }

    private static String limits(
            List<ToolSignature> functions, Map<String, Set<String>> closed, Limits limits) {
        var text = "Limits: " + time(limits.timeout) + " (at most " + time(limits.longestTimeout) + " with timeout), "
                + number(limits.toolCalls) + " tool calls (at most " + number(limits.mostToolCalls)
                + " with max_tool_calls), " + number(limits.stdoutBytes)
                + " bytes of output: of more, the start and the end are shown.";
        return functions.stream()
                .map(ToolSignature::tool)
                .filter(tool -> closed.getOrDefault(tool, Set.of()).contains("background"))
                .map(tool -> " " + tool + "() runs in the foreground only.")
                .collect(Collectors.joining("", text, ""));
    }

    private static String where(String mode) {
        return mode.equals("strict")
                ? "Scripts run in a folder of their own, not in the session's working folder: use absolute paths for the "
                        + "user's files."
                : "Scripts run in the session's working folder with the project's Python, so relative paths and installed "
                        + "packages work as in a terminal.";
    }

    private static Map<String, Object> parameters(List<ToolSignature> functions, Limits limits) {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("code", property("string", "The Python script. " + example(functions)));
        properties.put(
                "timeout",
                positive(
                        "number",
                        "Seconds after which the script is ended; default " + limits.timeout.toSeconds() + ", at most "
                                + limits.longestTimeout.toSeconds()));
        properties.put(
                "max_tool_calls",
                positive(
                        "integer",
                        "How many tool calls the script may make; default " + limits.toolCalls + ", at most "
                                + limits.mostToolCalls));
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of("code"));
        return schema;
    }

    /// Names two functions of Hermes if they are available, `web_search` and `terminal`: most scripts use them.
    private static String example(List<ToolSignature> functions) {
        if (functions.isEmpty()) {
            return "Print the result.";
        }
        var names = functions.stream().map(ToolSignature::function).toList();
        var usual = names.stream()
                .filter(List.of("web_search", "terminal")::contains)
                .toList();
        var shown = usual.isEmpty() ? names.stream().limit(2).toList() : usual;
        return "Import tools with `from hermes_tools import " + String.join(", ", shown)
                + (shown.size() < names.size() ? ", ..." : "") + "` and print the result.";
    }

    private static Map<String, Object> property(String type, String description) {
        var property = new LinkedHashMap<String, Object>();
        property.put("type", type);
        property.put("description", description);
        return property;
    }

    private static Map<String, Object> positive(String type, String description) {
        var property = property(type, description);
        property.put("exclusiveMinimum", 0);
        return property;
    }

    private static String shortened(String description) {
        var line = description.strip().replaceAll("\\s+", " ");
        if (line.length() <= MAX_TOOL_TEXT) {
            return line;
        }
        int end = line.lastIndexOf(' ', MAX_TOOL_TEXT);
        return line.substring(0, end > 0 ? end : MAX_TOOL_TEXT) + " ...";
    }

    private static String time(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds >= 120 && seconds % 60 == 0 ? number(seconds / 60) + " minutes" : number(seconds) + " seconds";
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
