package dev.talaria.engine;

import dev.talaria.engine.json.JsonFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks arguments against a tool's JSON schema: required names, types, enums, nested objects and lists.
final class SchemaCheck {
    private SchemaCheck() {}

    /// Returns what is wrong with the arguments, in words for the caller; empty if they fit. A null value
    /// counts as not given.
    static Optional<String> problem(Map<String, Object> schema, Map<String, Object> arguments) {
        List<String> problems = new ArrayList<>();
        object("", schema, arguments, problems);
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
    }

    private static void object(String path, Map<?, ?> schema, Map<?, ?> value, List<String> problems) {
        Map<?, ?> properties = JsonFields.object(schema, "properties");
        if (schema.get("required") instanceof Collection<?> required) {
            for (Object name : required) {
                if (value.get(name) == null) {
                    problems.add("'" + path + name + "' is missing");
                }
            }
        }
        value.forEach((name, content) -> {
            if (content == null) {
                return;
            }
            if (properties.get(name) instanceof Map<?, ?> property) {
                value(path + name, property, content, problems);
            } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                problems.add("'" + path + name + "' is not a parameter"
                        + (properties.isEmpty() ? "" : "; there are " + String.join(", ", names(properties))));
            }
        });
    }

    private static List<String> names(Map<?, ?> properties) {
        return properties.keySet().stream().map(String::valueOf).toList();
    }

    private static void value(String path, Map<?, ?> schema, Object value, List<String> problems) {
        if (schema.get("type") != null && !hasType(schema.get("type"), value)) {
            problems.add("'" + path + "' must be " + schema.get("type") + ", not " + JsonFields.type(value));
            return;
        }
        if (schema.get("enum") instanceof Collection<?> choices && !choices.contains(value)) {
            problems.add("'" + path + "' must be one of " + choices);
        }
        if (value instanceof Map<?, ?> map) {
            object(path + ".", schema, map, problems);
        }
        if (value instanceof List<?> list && schema.get("items") instanceof Map<?, ?> items) {
            for (int i = 0; i < list.size() && problems.size() < 10; i++) {
                value(path + "[" + i + "]", items, list.get(i), problems);
            }
        }
    }

    private static boolean hasType(Object type, Object value) {
        if (type instanceof Collection<?> types) {
            return types.stream().anyMatch(one -> hasType(one, value));
        }
        return switch (String.valueOf(type)) {
            case "string" -> value instanceof String || value instanceof byte[]; // programs may pass bytes
            case "integer" -> value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue());
            case "number" -> value instanceof Number;
            case "boolean" -> value instanceof Boolean;
            case "array" -> value instanceof List<?>;
            case "object" -> value instanceof Map<?, ?>;
            case "null" -> value == null;
            default -> true;
        };
    }
}
