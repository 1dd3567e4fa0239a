package dev.talaria.engine.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Reads fields of an object that came as JSON. A field of another kind counts as one that is not there: whoever wrote
/// it is not trusted to have written what we expect.
public final class JsonFields {
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

    /// Returns whether a field is there and true.
    public static boolean isTrue(Map<?, ?> fields, String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }
}
