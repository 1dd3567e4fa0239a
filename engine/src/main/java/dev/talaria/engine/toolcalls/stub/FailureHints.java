package dev.talaria.engine.toolcalls.stub;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Recognizes common mistakes in a failed script's traceback and suggests what to do instead.
public final class FailureHints {
    private static final int WINDOW = 4000;

    private static final List<Rule> RULES = List.of(
            new Rule("cannot import name '(\\w+)' from 'hermes_tools'", FailureHints::notImportable),
            new Rule("module 'hermes_tools' has no attribute '(\\w+)'", FailureHints::notImportable),
            new Rule("NameError: name '(\\w+)' is not defined", FailureHints::notImported),
            new Rule("ModuleNotFoundError: No module named '([\\w.]+)'", FailureHints::moduleMissing),
            new Rule(
                    "TypeError: string indices must be integers"
                            + "|AttributeError: 'str' object has no attribute 'get'"
                            + "|TypeError: the JSON object must be str, bytes or bytearray, not (?:dict|list)",
                    FailureHints::alreadyParsed));

    private FailureHints() {}

    /// The mistake, and what to do.
    ///
    /// @param cause the kind of failure, for programs: `tool_not_available`, `tool_not_imported`,
    ///     `helper_not_imported`, `stub_module_shadowed`, `module_missing` or `result_already_parsed`
    /// @param text the next step, for the model
    public record Hint(String cause, String text) {}

    /// Returns a hint if the script failed in a known way. The last failure in the text counts: it
    /// ended the script.
    ///
    /// @param traceback the script's output when it failed; only its first and last 4000 characters
    ///     are read
    /// @param callableTools names of the tools that the script can call
    public static Optional<Hint> hint(String traceback, Collection<String> callableTools) {
        var text = window(traceback);
        var best = Optional.<Hint>empty();
        int bestEnd = -1;
        for (var rule : RULES) {
            var matcher = rule.pattern.matcher(text);
            while (matcher.find()) {
                var hint = rule.hint.apply(matcher, callableTools);
                if (hint.isPresent() && matcher.end() > bestEnd) {
                    best = hint;
                    bestEnd = matcher.end();
                }
            }
        }
        return best;
    }

    private static String window(String traceback) {
        return traceback.length() <= 2 * WINDOW
                ? traceback
                : traceback.substring(0, WINDOW) + "\n" + traceback.substring(traceback.length() - WINDOW);
    }

    private static Optional<Hint> notImportable(Matcher match, Collection<String> tools) {
        var name = match.group(1);
        if (PythonNames.HELPERS.contains(name) || tools.contains(name)) {
            return Optional.of(new Hint(
                    "stub_module_shadowed",
                    "hermes_tools offers " + name + ", so the script imported another module of that name. Print "
                            + "hermes_tools.__file__ and rename or remove that file, then run the script again."));
        }
        return Optional.of(notAvailable(name, tools));
    }

    private static Optional<Hint> notImported(Matcher match, Collection<String> tools) {
        var name = match.group(1);
        boolean helper = PythonNames.HELPERS.contains(name);
        if (helper || tools.contains(name)) {
            return Optional.of(new Hint(
                    helper ? "helper_not_imported" : "tool_not_imported",
                    "Import it first: from hermes_tools import " + name));
        }
        return HermesTools.NAMES.contains(name) ? Optional.of(notAvailable(name, tools)) : Optional.empty();
    }

    private static Hint notAvailable(String name, Collection<String> tools) {
        return new Hint("tool_not_available", "'" + name + "' is not available to this script. " + importable(tools));
    }

    private static String importable(Collection<String> tools) {
        return tools.isEmpty()
                ? "No tools can be imported here, only the helpers json_parse, shell_quote and retry."
                : "Tools that can be imported from hermes_tools here: "
                        + String.join(", ", tools.stream().sorted().toList()) + ".";
    }

    private static Optional<Hint> moduleMissing(Matcher match, Collection<String> tools) {
        var module = match.group(1);
        if (module.equals("hermes_tools")) {
            return Optional.of(new Hint(
                    "module_missing",
                    "hermes_tools is found through PYTHONPATH. A Python program that the script starts must inherit "
                            + "os.environ and must not be started with -I or -E."));
        }
        var instead = tools.contains("terminal") // the hint names this function of hermes_tools
                ? "Use the standard library, or run that part with terminal() and the project's own Python."
                : "Use the standard library instead.";
        return Optional.of(new Hint(
                "module_missing", "The module '" + module + "' is not installed for the script's Python. " + instead));
    }

    private static Optional<Hint> alreadyParsed(Matcher match, Collection<String> tools) {
        return Optional.of(new Hint(
                "result_already_parsed",
                "Tool functions return Python dicts, parsed already: use result[\"key\"] and no json.loads(result). "
                        + "Values inside, such as \"output\" or \"content\", are plain text."));
    }

    private record Rule(Pattern pattern, BiFunction<Matcher, Collection<String>, Optional<Hint>> hint) {
        Rule(String regex, BiFunction<Matcher, Collection<String>, Optional<Hint>> hint) {
            this(Pattern.compile(regex), hint);
        }
    }
}
