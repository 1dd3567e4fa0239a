package dev.talaria.engine.json;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Reads fields of an object that came as JSON. A field of another kind counts as one that is not there: whoever wrote
/// it is not trusted to have written what we expect.
public final class JsonFields {
    private static final double CENTURY = Duration.ofDays(36_500).toSeconds();

    private JsonFields() {}

    public static Optional<String> text(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /// Returns a text that is more than blanks.
    public static Optional<String> filled(Map<?, ?> fields, String name) {
        return text(fields, name).filter(text -> !text.isBlank());
    }

    /// Returns the items of a list, as texts; none if there is no list.
    public static List<String> texts(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> items
                ? items.stream().map(String::valueOf).toList()
                : List.of();
    }

    /// Returns an object; one without fields if there is none.
    public static Map<?, ?> object(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Map<?, ?> object ? object : Map.of();
    }

    /// Returns the numbers of a list; none if there is no list.
    public static List<Integer> numbers(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof List<?> items
                ? items.stream()
                        .filter(Number.class::isInstance)
                        .map(item -> ((Number) item).intValue())
                        .toList()
                : List.of();
    }

    /// Returns a whole number; one that has no room in an `int` counts as none.
    public static OptionalInt number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number && number.doubleValue() == number.intValue()
                ? OptionalInt.of(number.intValue())
                : OptionalInt.empty();
    }

    public static OptionalLong longNumber(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    /// Returns a time that is given in seconds, a hundred years at most; none if it is not more than 0.
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

    /// Returns whether a field is there and true.
    public static boolean isTrue(Map<?, ?> fields, String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }
}
