package dev.talaria.engine.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Reads fields of a JSON object from outside. A field of an unexpected type counts as missing.
public final class JsonFields {
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

    /// Returns a whole number; empty if the field is missing or does not fit into an `int`.
    public static OptionalInt number(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number && number.doubleValue() == number.intValue()
                ? OptionalInt.of(number.intValue())
                : OptionalInt.empty();
    }

    public static OptionalLong longNumber(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    /// Returns whether a field exists and is true.
    public static boolean isTrue(Map<?, ?> fields, String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }
}
