package dev.talaria.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The description of a tool for models and scripts.
///
/// ```java
/// Map<String, Object> number = Map.of("type", "number");
/// ToolSpec add = new ToolSpec(
///         "add", "Adds two numbers.", Map.of("type", "object", "properties", Map.of("a", number, "b", number)));
/// ```
///
/// @param name the name: letters, digits and underscores, since it becomes a Python function in scripts
/// @param description what the tool does and when to use it
/// @param inputSchema the JSON Schema of the arguments, of type `object`
public record ToolSpec(String name, String description, Map<String, Object> inputSchema) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    public ToolSpec {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Tool name '" + name
                    + "' cannot be a Python function. Use letters, digits and underscores, at most 64.");
        }
        if (!"object".equals(inputSchema.get("type"))) {
            throw new IllegalArgumentException(
                    "The input schema of tool '" + name + "' must have \"type\": \"object\".");
        }
        inputSchema = Collections.unmodifiableMap(new LinkedHashMap<>(inputSchema));
    }
}
