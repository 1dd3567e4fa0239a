package dev.talaria.cli;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.Engine;
import dev.talaria.engine.SchemaShape;
import dev.talaria.engine.ToolSchemas;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// `talaria schema`: prints the descriptions of the tools for models.
final class SchemaCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "schema",
                        "Prints the descriptions of the tools for a model, as a JSON array.",
                        List.of("TOOL..."),
                        0,
                        List.of(Option.of("--format", "FORMAT", "The format: openai (the default), anthropic or mcp.")),
                        List.of("talaria schema execute_code --format anthropic"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        SchemaShape shape = shape(given.value("--format").orElse("openai"));
        try (Engine engine = EngineOptions.open(given, console)) {
            List<String> wanted = given.positionals();
            List<ToolSpec> tools = wanted.isEmpty()
                    ? engine.tools()
                    : wanted.stream().map(name -> find(engine, name)).toList();
            console.println(ToolSchemas.json(tools, shape));
        }
        return ExitCode.SUCCESS.number();
    }

    private static ToolSpec find(Engine engine, String name) {
        List<String> names = engine.tools().stream().map(ToolSpec::name).toList();
        return engine.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new UsageException("there is no tool '" + name + "'." + Suggestion.among(name, names)));
    }

    private static SchemaShape shape(String format) {
        return Stream.of(SchemaShape.values())
                .filter(shape -> word(shape).equalsIgnoreCase(format))
                .findFirst()
                .orElseThrow(() -> new UsageException("--format " + format + ": choose one of "
                        + Stream.of(SchemaShape.values())
                                .map(SchemaCommand::word)
                                .collect(Collectors.joining(", ")) + "."));
    }

    private static String word(SchemaShape shape) {
        return shape.name().toLowerCase(Locale.ROOT);
    }
}
