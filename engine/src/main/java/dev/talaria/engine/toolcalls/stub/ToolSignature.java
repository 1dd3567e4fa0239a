package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.json.JsonFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A tool as a Python function: its name in scripts, and its parameters.
///
/// @param tool the tool's own name, as sent with a call
/// @param function the function's name; differs if Python needs the tool's name itself
/// @param description what the tool does
/// @param parameters the parameters, required ones first
/// @param open whether further keyword arguments are passed on
public record ToolSignature(
        String tool, String function, String description, List<Parameter> parameters, boolean open) {

    public ToolSignature {
        parameters = List.copyOf(parameters);
    }

    /// One parameter of the function.
    ///
    /// @param key the name in the call's JSON
    /// @param name the Python name
    /// @param type the Python type, if the schema has one
    /// @param fallback the source of the default value; empty if the argument is required
    /// @param omitted whether `None` means that nothing is sent
    /// @param notes the schema's description, for the docstring
    public record Parameter(
            String key, String name, Optional<String> type, Optional<String> fallback, boolean omitted, String notes) {

        String declaration() {
            var typed = name + type.map(t -> ": " + t).orElse("");
            return fallback.map(f -> typed + (type.isPresent() ? " = " : "=") + f)
                    .orElse(typed);
        }
    }

    /// Returns the functions of the given tools: first those of Hermes in their usual order, then the
    /// others in the given order.
    ///
    /// @param complete the tools whose functions send every argument, even `None`
    public static List<ToolSignature> of(Collection<ToolSpec> tools, Collection<ToolSpec> complete) {
        var specs = new LinkedHashMap<String, ToolSpec>();
        tools.forEach(tool -> specs.putIfAbsent(tool.name(), tool));
        var ordered = new ArrayList<ToolSpec>();
        HermesTools.NAMES.stream()
                .flatMap(name -> Optional.ofNullable(specs.get(name)).stream())
                .forEach(ordered::add);
        specs.values().stream()
                .filter(tool -> !HermesTools.NAMES.contains(tool.name()))
                .forEach(ordered::add);
        var functions =
                PythonNames.functions(ordered.stream().map(ToolSpec::name).toList());
        return ordered.stream()
                .map(tool -> of(tool, functions.getOrDefault(tool.name(), tool.name()), complete.contains(tool)))
                .toList();
    }

    private static ToolSignature of(ToolSpec tool, String function, boolean complete) {
        var schema = tool.inputSchema();
        var properties = properties(schema);
        var required = required(schema);
        var names = PythonNames.parameters(properties.keySet());
        var must = new ArrayList<Parameter>();
        var may = new ArrayList<Parameter>();
        properties.forEach((key, property) -> {
            var fallback = property.containsKey("default")
                    ? PythonText.literal(property.get("default"))
                    : Optional.<String>empty();
            boolean optional = fallback.isPresent() || !required.contains(key);
            var parameter = new Parameter(
                    key,
                    names.getOrDefault(key, key),
                    pythonType(property),
                    optional ? Optional.of(fallback.orElse("None")) : Optional.empty(),
                    optional && fallback.isEmpty() && !complete,
                    notes(property));
            (optional ? may : must).add(parameter);
        });
        must.addAll(may);
        return new ToolSignature(tool.name(), function, tool.description(), must, open(schema));
    }

    /// Returns the signature as it stands in the module and in descriptions: `read_file(path: str,
    /// offset: int = 1)`.
    public String declaration() {
        var declared = parameters.stream().map(Parameter::declaration).collect(Collectors.toList());
        if (open) {
            declared.add("**" + extraName());
        }
        return function + "(" + String.join(", ", declared) + ")";
    }

    /// Returns a name for further keyword arguments that no parameter has.
    String extraName() {
        var names = parameters.stream().map(Parameter::name).collect(Collectors.toSet());
        var name = "others";
        while (names.contains(name)) {
            name += "_";
        }
        return name;
    }

    private static SequencedMap<String, Map<?, ?>> properties(Map<String, Object> schema) {
        var properties = new LinkedHashMap<String, Map<?, ?>>();
        required(schema).forEach(key -> properties.put(key, Map.of())); // a list has an order, a Java map may have none
        JsonFields.object(schema, "properties")
                .forEach((key, value) ->
                        properties.put(String.valueOf(key), value instanceof Map<?, ?> property ? property : Map.of()));
        return properties;
    }

    private static Set<String> required(Map<String, Object> schema) {
        return schema.get("required") instanceof Collection<?> names
                ? names.stream().map(String::valueOf).collect(Collectors.toCollection(LinkedHashSet::new))
                : Set.of();
    }

    private static boolean open(Map<String, Object> schema) {
        var additional = schema.get("additionalProperties");
        return Boolean.TRUE.equals(additional) || additional instanceof Map<?, ?>;
    }

    private static Optional<String> pythonType(Map<?, ?> property) {
        var types = new LinkedHashSet<String>();
        collectTypes(property, types);
        types.remove("null");
        return types.size() == 1 ? named(types.iterator().next()) : Optional.empty();
    }

    private static void collectTypes(Map<?, ?> property, Set<String> types) {
        switch (property.get("type")) {
            case String type -> types.add(type);
            case Collection<?> several -> several.forEach(type -> types.add(String.valueOf(type)));
            case null, default -> {
                var choices = property.containsKey("anyOf") ? property.get("anyOf") : property.get("oneOf");
                if (choices instanceof Collection<?> several) {
                    several.forEach(choice -> types.add(typeOf(choice)));
                } else if (property.get("enum") instanceof Collection<?> values
                        && !values.isEmpty()
                        && values.stream().allMatch(String.class::isInstance)) {
                    types.add("string");
                }
            }
        }
    }

    private static String typeOf(@Nullable Object choice) {
        return choice instanceof Map<?, ?> schema && schema.get("type") instanceof String type ? type : "";
    }

    private static Optional<String> named(String jsonType) {
        return switch (jsonType) {
            case "string" -> Optional.of("str");
            case "integer" -> Optional.of("int");
            case "number" -> Optional.of("float");
            case "boolean" -> Optional.of("bool");
            case "array" -> Optional.of("list");
            case "object" -> Optional.of("dict");
            default -> Optional.empty();
        };
    }

    private static String notes(Map<?, ?> property) {
        var notes = new ArrayList<String>();
        if (property.get("description") instanceof String text && !text.isBlank()) {
            notes.add(text.strip().replaceAll("\\s+", " "));
        }
        if (property.get("enum") instanceof Collection<?> values && !values.isEmpty()) {
            notes.add(values.stream()
                    .map(value -> PythonText.literal(value).orElse("..."))
                    .collect(Collectors.joining(", ", "one of ", "")));
        }
        return String.join("; ", notes);
    }
}
