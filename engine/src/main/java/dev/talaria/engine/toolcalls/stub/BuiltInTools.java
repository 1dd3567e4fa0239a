package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.Limit;
import dev.talaria.engine.config.TerminalSettings;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Resources;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The seven tools that Hermes scripts know, with the parameters for scripts, and the further tools
/// and parameters for models.
///
/// Their descriptions and schemas are data (`built-in-tools.json`), in the order in which they are
/// shown.
public final class BuiltInTools {
    private static final SequencedMap<String, ToolSpec> BY_NAME = load("built-in-tools.json");
    private static final SequencedMap<String, ToolSpec> FOR_MODELS = load("model-tools.json");

    private static final Pattern NUMBER = Pattern.compile("\\b[0-9]+\\b");

    private BuiltInTools() {}

    /// Returns the seven tools, in the order in which they are shown.
    public static List<ToolSpec> all() {
        return List.copyOf(BY_NAME.values());
    }

    /// Returns the seven names, in the order in which they are shown.
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /// Returns the built-in tool of this name.
    public static Optional<ToolSpec> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /// Returns a built-in tool as models see it. Scripts know fewer parameters of it, or do not know
    /// the tool.
    public static Optional<ToolSpec> forModels(String name) {
        Optional<ToolSpec> more = Optional.ofNullable(FOR_MODELS.get(name));
        return find(name)
                .map(known -> more.map(added -> joined(known, added)).orElse(known))
                .or(() -> more);
    }

    /// Returns a tool for models, with the configured times in the place of the standard times.
    public static Optional<ToolSpec> forModels(String name, TerminalSettings settings) {
        Limit<Duration> standard = TerminalSettings.defaults().timeout();
        Map<String, String> times = Map.of(
                String.valueOf(standard.standard().toSeconds()),
                TerminalSettings.told(settings.timeout().standard()),
                String.valueOf(standard.ceiling().toSeconds()),
                TerminalSettings.told(settings.timeout().ceiling()));
        return forModels(name).map(known -> {
            var schema = new LinkedHashMap<>(known.inputSchema());
            schema.computeIfPresent("properties", (_, properties) -> retold(properties, times));
            return new ToolSpec(known.name(), known.description(), schema);
        });
    }

    private static Object retold(Object value, Map<String, String> times) {
        return switch (value) {
            case Map<?, ?> fields -> {
                var told = new LinkedHashMap<String, Object>();
                fields.forEach((key, field) -> told.put(String.valueOf(key), retold(field, times)));
                yield told;
            }
            case String text ->
                NUMBER.matcher(text).replaceAll(found -> times.getOrDefault(found.group(), found.group()));
            default -> value;
        };
    }

    private static ToolSpec joined(ToolSpec known, ToolSpec more) {
        var properties = object(known.inputSchema().get("properties"));
        properties.putAll(object(more.inputSchema().get("properties")));
        var schema = new LinkedHashMap<>(known.inputSchema());
        schema.put("properties", properties);
        return new ToolSpec(known.name(), known.description() + " " + more.description(), schema);
    }

    private static SequencedMap<String, ToolSpec> load(String file) {
        var byName = new LinkedHashMap<String, ToolSpec>();
        if (Json.value(Resources.text(BuiltInTools.class, file)) instanceof List<?> entries) {
            for (Object entry : entries) {
                Map<?, ?> fields = (Map<?, ?>) entry;
                String name = String.valueOf(fields.get("name"));
                String description = String.valueOf(fields.get("description"));
                byName.put(name, new ToolSpec(name, description, object(fields.get("inputSchema"))));
            }
        }
        return byName;
    }

    private static Map<String, Object> object(@Nullable Object value) {
        var fields = new LinkedHashMap<String, Object>();
        if (value instanceof Map<?, ?> written) {
            written.forEach((key, field) -> fields.put(String.valueOf(key), field));
        }
        return fields;
    }
}
