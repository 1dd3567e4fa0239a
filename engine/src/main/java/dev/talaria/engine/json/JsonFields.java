package dev.talaria.engine.json;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Reads fields of a JSON object from outside. A field of an unexpected type counts as missing.
public final class JsonFields {
    private static final double CENTURY = Duration.ofDays(36_500).toSeconds();

    private JsonFields() {}

    public static Optional<String> text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /// Returns a text field; empty if it is missing or blank.
    public static Optional<String> filled(Map<?, ?> fields, String name) {
        return text(fields, name).filter(text -> !text.isBlank());
    }

    /// Returns the items of a list field as texts; none if the field is missing.
    public static List<String> texts(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> items
                ? items.stream().map(String::valueOf).toList()
                : List.of();
    }

    /// Returns an object; one without fields if the field is missing.
    public static Map<?, ?> object(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Map<?, ?> object ? object : Map.of();
    }

    /// Returns the numbers of a list field; none if the field is missing.
    public static List<Integer> numbers(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> items
                ? items.stream()
                        .filter(Number.class::isInstance)
                        .map(item -> ((Number) item).intValue())
                        .toList()
                : List.of();
    }

    /// Returns a whole number; empty if the field is missing or does not fit into an `int`.
    public static OptionalInt number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number && number.doubleValue() == number.intValue()
                ? OptionalInt.of(number.intValue())
                : OptionalInt.empty();
    }

    public static OptionalLong longNumber(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    /// Returns a time that is written in seconds, at most a hundred years; empty if it is not positive.
    public static Optional<Duration> seconds(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number && number.doubleValue() > 0
                ? Optional.of(Duration.ofMillis((long) (Math.min(number.doubleValue(), CENTURY) * 1000)))
                : Optional.empty();
    }

    /// Returns JSON's name for the type of a value.
    public static String type(Object value) {
        return switch (value) {
            case null -> "null";
            case String _ -> "string";
            case Boolean _ -> "boolean";
            case Number _ -> "number";
            case List<?> _ -> "array";
            case Map<?, ?> _ -> "object";
            default -> value.getClass().getSimpleName();
        };
    }

    /// Returns the type of a value with its article: `an array`, `a number`.
    public static String typeWithArticle(Object value) {
        return (value instanceof List<?> || value instanceof Map<?, ?> ? "an " : "a ") + type(value);
    }

    /// Returns whether a field exists and is true.
    public static boolean isTrue(Map<?, ?> fields, String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }
}
