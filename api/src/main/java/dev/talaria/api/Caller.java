package dev.talaria.api;

/// Who makes a call: the door it came through and the session it belongs to.
///
/// @param door name of the door, such as `cli`, `mcp` or `java`
/// @param session keeps a conversation's working folder, sandbox and spill files together
public record Caller(String door, String session) {

    /// The session of callers that name none.
    public static final String DEFAULT_SESSION = "default";

    /// Returns the caller for calls made through the Java API.
    public static Caller java() {
        return new Caller("java", DEFAULT_SESSION);
    }
}
