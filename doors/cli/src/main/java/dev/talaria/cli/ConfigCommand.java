package dev.talaria.cli;

import dev.talaria.engine.config.ConfigKey;
import dev.talaria.engine.config.ConfigKeys;
import dev.talaria.engine.config.ConfigProblem;
import dev.talaria.engine.config.ConfigValue;
import dev.talaria.engine.config.LoadedConfig;
import dev.talaria.engine.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `talaria config`: shows every setting with its value, its source and its meaning.
final class ConfigCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "config",
                        "Shows every setting with its value, its source and its meaning. Exit code: 2 if the configuration"
                                + " has a mistake.",
                        List.of(),
                        0,
                        List.of(Option.flag("--json", "Print the settings as one JSON object.")),
                        List.of("talaria config", "talaria config --json --timeout 90"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        LoadedConfig loaded = EngineOptions.load(given, console);
        if (given.has("--json")) {
            console.println(Json.text(json(loaded)));
        } else {
            console.println("# The user's file: " + loaded.settings().folders().configFile());
            loaded.values().forEach(value -> show(value, console));
        }
        loaded.warnings().forEach(warning -> console.say("warning: " + warning));
        loaded.problems().forEach(problem -> console.say("problem: " + problem.text()));
        return (loaded.problems().isEmpty() ? ExitCode.SUCCESS : ExitCode.USAGE).number();
    }

    private static void show(ConfigValue value, Console console) {
        ConfigKeys.find(value.key())
                .ifPresent(key ->
                        console.println("\n# " + key.sentence() + " " + capital(key.form()) + "; $" + key.variable()));
        console.println(
                value.key() + ": " + value.text() + "   (" + value.origin().text() + ")");
    }

    private static String capital(String form) {
        return Character.toUpperCase(form.charAt(0)) + form.substring(1);
    }

    private static Map<String, Object> json(LoadedConfig loaded) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", loaded.settings().folders().configFile().toString());
        all.put("values", loaded.values().stream().map(ConfigCommand::json).toList());
        all.put("warnings", loaded.warnings());
        all.put("problems", loaded.problems().stream().map(ConfigProblem::text).toList());
        return all;
    }

    private static Map<String, Object> json(ConfigValue value) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("key", value.key());
        one.put("value", value.text());
        one.put("origin", value.origin().text());
        ConfigKeys.find(value.key()).ifPresent((ConfigKey<?> key) -> {
            one.put("sentence", key.sentence());
            one.put("form", key.form());
            one.put("default", key.standardText());
            one.put("variable", key.variable());
        });
        return one;
    }
}
