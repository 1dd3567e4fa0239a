package dev.talaria.mcp;

import java.io.InputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// A message that is too long. Its sender would wait for ever without an answer under its id.
final class OversizeMessage {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(1000).build()) // the limit of the id
            .build();

    private OversizeMessage() {}

    /// Returns the message's id. It reads no further, and keeps nothing else.
    static Optional<Object> id(InputStream line) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean id = json.currentName().equals("id");
                JsonToken value = json.nextToken();
                if (id && value == JsonToken.VALUE_STRING) {
                    return Optional.of(json.getString());
                }
                if (id && value == JsonToken.VALUE_NUMBER_INT) {
                    return Optional.of(json.getNumberValue());
                }
                json.skipChildren();
            }
            return Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
