package dev.talaria.api;

/// Who makes a call: the door it came through and the session it belongs to.
///
/// ```java
/// Caller chat = new Caller("java", "chat-7");
/// engine.call(ToolCall.of(chat, "terminal", Map.of("command", "cd /tmp")));
/// engine.call(ToolCall.of(chat, "terminal", Map.of("command", "pwd"))); // prints /tmp
/// ```
///
/// @param door name of the door, such as `cli`, `mcp` or `java`
/// @param session the name of the conversation; its calls share a working folder, a sandbox and spill files
/// @param oneShot whether the session ends with the call; a background process then goes on only if it was asked to
///     outlive Talaria
public record Caller(String door, String session, boolean oneShot) {

    /// The name of the session of callers that name none.
    public static final String DEFAULT_SESSION = "default";

    /// Makes a caller whose session goes on after the call.
    public Caller(String door, String session) {
        this(door, session, false);
    }

    /// Returns the caller for calls made through the Java API.
    public static Caller java() {
        return new Caller("java", DEFAULT_SESSION);
    }
}
