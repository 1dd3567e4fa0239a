package dev.talaria.engine.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes values as JSON. A Java caller may pass any object; one that JSON does not know is written as its text.
///
/// @param sorted whether the fields of an object are written in the order of their names
record JsonWriter(boolean sorted) {

    void write(JsonGenerator out, @Nullable Object value) {
        switch (value) {
            case null -> out.writeNull();
            case String text -> out.writeString(text);
            case Integer number -> out.writeNumber(number);
            case Boolean bool -> out.writeBoolean(bool);
            case Map<?, ?> fields -> writeFields(out, fields);
            case Collection<?> items -> writeItems(out, items);
            case Long number -> out.writeNumber(number);
            case Number number -> writeNumber(out, number);
            case Optional<?> optional -> write(out, optional.orElse(null));
            case Object[] items -> writeItems(out, Arrays.asList(items));
            default -> out.writeString(value.toString());
        }
    }

    private void writeFields(JsonGenerator out, Map<?, ?> fields) {
        Map<?, ?> inOrder = fields;
        if (sorted) {
            Map<String, @Nullable Object> byName = new TreeMap<>();
            fields.forEach((name, field) -> byName.put(String.valueOf(name), field));
            inOrder = byName;
        }
        out.writeStartObject();
        for (Map.Entry<?, ?> field : inOrder.entrySet()) {
            out.writeName(String.valueOf(field.getKey()));
            write(out, field.getValue());
        }
        out.writeEndObject();
    }

    private void writeItems(JsonGenerator out, Collection<?> items) {
        out.writeStartArray();
        for (Object item : items) {
            write(out, item);
        }
        out.writeEndArray();
    }

    private static void writeNumber(JsonGenerator out, Number number) {
        switch (number) {
            case Double value -> out.writeNumber(value);
            case Float value -> out.writeNumber(value);
            case BigDecimal value -> out.writeNumber(value);
            case BigInteger value -> out.writeNumber(value);
            case Short value -> out.writeNumber(value);
            case Byte value -> out.writeNumber(value.intValue());
            default -> out.writeString(number.toString()); // such as an AtomicInteger or a program's own type
        }
    }
}
