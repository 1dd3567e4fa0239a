package dev.talaria.engine;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.json.Json;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Converts tools to the schema forms of model interfaces.
public final class ToolSchemas {
    private ToolSchemas() {}

    /// Returns the tools as JSON values, in the given order.
    public static List<Map<String, Object>> values(Collection<ToolSpec> tools, SchemaShape shape) {
        return tools.stream().map(tool -> value(tool, shape)).toList();
    }

    /// Returns one tool as a JSON value.
    public static Map<String, Object> value(ToolSpec tool, SchemaShape shape) {
        return switch (shape) {
            case OPENAI -> object("type", "function", "function", described(tool, "parameters"));
            case ANTHROPIC -> described(tool, "input_schema");
            case MCP -> described(tool, "inputSchema");
        };
    }

    /// Returns the tools as the text of a JSON array.
    public static String json(Collection<ToolSpec> tools, SchemaShape shape) {
        return Json.pretty(values(tools, shape));
    }

    private static Map<String, Object> described(ToolSpec tool, String schemaKey) {
        return object("name", tool.name(), "description", tool.description(), schemaKey, tool.inputSchema());
    }

    private static Map<String, Object> object(Object... keysAndValues) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put(keysAndValues[i].toString(), keysAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(object);
    }
}
