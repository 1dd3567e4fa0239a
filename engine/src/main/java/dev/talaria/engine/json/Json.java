package dev.talaria.engine.json;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/// Reads and writes JSON, strictly and with limits, since it comes from outside. Values are plain maps, lists,
/// strings, numbers, booleans and null.
///
/// It uses Jackson's streams without its data binding, which would add some 50 ms to every start.
public final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(200)
                    .maxStringLength(64 << 20)
                    .maxNumberLength(1000)
                    .build())
            .disable(StreamReadFeature.USE_FAST_DOUBLE_PARSER) // its tables add 10 ms to a start
            .build();

    private static final class Pretty extends ObjectWriteContext.Base {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    private Json() {}

    public static byte[] bytes(Object value) {
        return bytes(value, new JsonWriter(false), false);
    }

    /// Returns the value as one line, with its line feed.
    public static byte[] line(Object value) {
        return bytes(value, new JsonWriter(false), true);
    }

    /// Returns the value with the fields of every object sorted by name, so that equal values give equal bytes.
    public static byte[] sorted(@Nullable Object value) {
        return bytes(value, new JsonWriter(true), false);
    }

    private static byte[] bytes(@Nullable Object value, JsonWriter writer, boolean line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            writer.write(generator, value);
        }
        if (line) {
            out.write('\n');
        }
        return out.toByteArray();
    }

    public static String text(@Nullable Object value) {
        return text(value, ObjectWriteContext.empty());
    }

    public static String pretty(Object value) {
        return text(value, new Pretty());
    }

    private static String text(@Nullable Object value, ObjectWriteContext context) {
        StringWriter out = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(context, out)) {
            new JsonWriter(false).write(generator, value);
        }
        return out.toString();
    }

    /// Returns a JSON object as a map in the order of the text.
    ///
    /// @throws IllegalArgumentException if the text is not a JSON object; the message says what is wrong
    public static Map<String, Object> object(byte[] json, int offset, int length) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json, offset, length)) {
            return asObject(whole(parser));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    public static Map<String, Object> object(byte[] json) {
        return object(json, 0, json.length);
    }

    public static Map<String, Object> object(String json) {
        return asObject(value(json));
    }

    /// Returns any JSON value.
    ///
    /// @throws IllegalArgumentException if the text is not JSON; the message says what is wrong
    public static @Nullable Object value(String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return whole(parser);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    @SuppressWarnings("unchecked") // names of a JSON object are strings
    private static Map<String, Object> asObject(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a JSON object is needed");
        }
        return (Map<String, Object>) map;
    }

    private static @Nullable Object whole(JsonParser parser) {
        if (parser.nextToken() == null) {
            throw new StreamReadException(parser, "there is nothing");
        }
        Object value = node(parser);
        if (parser.nextToken() != null) {
            throw new StreamReadException(parser, "something follows the JSON value");
        }
        return value;
    }

    private static @Nullable Object node(JsonParser parser) {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> fields(parser);
            case START_ARRAY -> items(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new StreamReadException(parser, "unexpected " + token);
        };
    }

    private static Map<String, @Nullable Object> fields(JsonParser parser) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        String name = parser.nextName();
        while (name != null) {
            parser.nextToken();
            fields.put(name, node(parser));
            name = parser.nextName();
        }
        return fields;
    }

    private static List<@Nullable Object> items(JsonParser parser) {
        List<@Nullable Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(parser));
        }
        return items;
    }
}
