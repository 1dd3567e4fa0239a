package dev.talaria.engine.tool.weather;

import dev.talaria.api.Effect;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A tool as a built-in one is made: a class, and `weather.json` beside it.
public final class WeatherTool implements Tool {
    public static final String NAME = "weather";

    private final SpecFile spec = SpecFile.read(WeatherTool.class, NAME, Map.of("days", "3"));

    @Override
    public ToolSpec spec() {
        return spec.forModels();
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return Optional.of(spec.forScripts());
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        return new Effect.Harmless();
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return Optional.of(Set.of());
    }

    @Override
    public ToolResult call(ToolContext context) {
        return ToolResult.completed("weather", "sunny in " + context.arguments().get("city"));
    }
}
