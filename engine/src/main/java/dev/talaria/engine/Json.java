package dev.talaria.engine;

import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Strict, bounded JSON: all that is ever parsed of what comes from outside.
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(200)
                            .maxStringLength(64 << 20)
                            .maxNumberLength(1000)
                            .build())
                    .disable(StreamReadFeature.USE_FAST_DOUBLE_PARSER) // its tables cost a start 10 ms
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static String pretty(Object value) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    }

    /// Returns a JSON object as a map in key order.
    ///
    /// @throws IllegalArgumentException if it is anything else; the message says what
    public static Map<String, Object> object(byte[] json, int offset, int length) {
        try {
            return asObject(MAPPER.readValue(json, offset, length, Object.class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    public static Map<String, Object> object(byte[] json) {
        return object(json, 0, json.length);
    }

    public static Map<String, Object> object(String json) {
        try {
            return asObject(MAPPER.readValue(json, Object.class));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    @SuppressWarnings("unchecked") // names of a JSON object are strings
    private static Map<String, Object> asObject(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a JSON object is needed");
        }
        return (Map<String, Object>) map;
    }
}
