package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Resources;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The description and the schema of a tool, from a JSON file beside its class. The file has the tool's name. What
/// only models are told is in its field `forModels`: more description, and further or other parameters.
public record SpecFile(ToolSpec forScripts, ToolSpec forModels) {

    public static SpecFile read(Class<?> beside, String tool) {
        return read(beside, tool, Map.of());
    }

    /// Reads a file with placeholders.
    ///
    /// @param values the texts that replace `${name}`, by name
    public static SpecFile read(Class<?> beside, String tool, Map<String, String> values) {
        String json = Resources.text(beside, tool + ".json");
        for (var value : values.entrySet()) {
            json = json.replace("${" + value.getKey() + "}", value.getValue());
        }
        Map<String, Object> fields = Json.object(json);
        String description = String.valueOf(fields.get("description"));
        Map<String, Object> schema = object(fields.get("inputSchema"));
        ToolSpec forScripts = new ToolSpec(tool, description, schema);
        if (!fields.containsKey("forModels")) {
            return new SpecFile(forScripts, forScripts);
        }
        Map<String, Object> more = object(fields.get("forModels"));
        Map<String, Object> properties = object(schema.get("properties"));
        properties.putAll(object(more.get("properties")));
        schema.put("properties", properties);
        return new SpecFile(forScripts, new ToolSpec(tool, description + " " + more.get("description"), schema));
    }

    private static Map<String, Object> object(@Nullable Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> written) {
            written.forEach((key, field) -> fields.put(String.valueOf(key), field));
        }
        return fields;
    }
}
