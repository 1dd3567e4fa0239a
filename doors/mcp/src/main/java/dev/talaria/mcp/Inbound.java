package dev.talaria.mcp;

import dev.talaria.engine.json.Json;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The meaning of a line from the client.
sealed interface Inbound {

    /// A message that needs an answer under its id, which is a string or an integer.
    record Request(Object id, String method, Map<String, Object> params) implements Inbound {}

    /// A message without an answer.
    record Notification(String method, Map<String, Object> params) implements Inbound {}

    /// A line that is not a valid message. The sender gets an error.
    record Invalid(Optional<Object> id, int code, String message) implements Inbound {}

    /// The answer to a request of ours; no result means an error.
    record Response(Object id, Optional<Map<String, Object>> result) implements Inbound {}

    /// A blank line, which needs no reaction.
    record Ignored() implements Inbound {}

    /// The client closed its end.
    record End() implements Inbound {}

    /// Returns the meaning of one line.
    static Inbound of(byte[] bytes, int offset, int length) {
        if (blank(bytes, offset, length)) {
            return new Ignored();
        }
        try {
            return of(Json.object(bytes, offset, length));
        } catch (IllegalArgumentException e) {
            return e.getCause() == null
                    ? invalid(Optional.empty(), "A message is one JSON object on one line; batches are not taken.")
                    : new Invalid(Optional.empty(), ErrorCodes.PARSE_ERROR, "This line is not JSON: " + e.getMessage());
        }
    }

    /// Returns the refusal of a line that is too long, under its own id if the line contains one.
    static Inbound tooLong(InputStream line, int longest) throws IOException {
        Optional<Object> id = OversizeMessage.id(line).filter(Inbound::validId);
        line.transferTo(OutputStream.nullOutputStream());
        return invalid(
                id,
                "This message is longer than " + longest + " bytes, and was left unread. Send less at once: write large"
                        + " files in parts, or from a script.");
    }

    private static Inbound of(Map<String, Object> message) {
        Object id = message.get("id");
        Optional<Object> validId = Optional.ofNullable(id).filter(Inbound::validId);
        if (!"2.0".equals(message.get("jsonrpc"))) {
            return invalid(validId, "A message must have \"jsonrpc\": \"2.0\".");
        }
        if (message.containsKey("id") && validId.isEmpty()) {
            return invalid(validId, "An id must be a string or an integer.");
        }
        if (!(message.get("method") instanceof String method)) {
            return message.containsKey("result") || message.containsKey("error")
                    ? validId.<Inbound>map(given -> response(given, message)).orElseGet(Ignored::new)
                    : invalid(validId, "A message must have a \"method\".");
        }
        Object params = message.get("params");
        if (params != null && !(params instanceof Map<?, ?>)) {
            return new Invalid(validId, ErrorCodes.INVALID_PARAMS, "\"params\" must be an object.");
        }
        Map<String, Object> object = object(params);
        return validId.<Inbound>map(given -> new Request(given, method, object))
                .orElseGet(() -> new Notification(method, object));
    }

    private static Inbound response(Object id, Map<String, Object> message) {
        Optional<Map<String, Object>> result =
                message.get("result") instanceof Map<?, ?> map ? Optional.of(object(map)) : Optional.empty();
        return new Response(id, result);
    }

    /// Returns a JSON object as a map; any other value as an empty map.
    static Map<String, Object> object(@Nullable Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, content) -> object.put(String.valueOf(key), content));
        }
        return object;
    }

    private static boolean validId(Object id) {
        return id instanceof String || id instanceof Integer || id instanceof Long;
    }

    private static Inbound invalid(Optional<Object> id, String message) {
        return new Invalid(id, ErrorCodes.INVALID_REQUEST, message);
    }

    private static boolean blank(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }
}
