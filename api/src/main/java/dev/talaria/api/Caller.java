package dev.talaria.api;

/// Who makes a call: the door it came through and the session it belongs to.
///
/// @param door name of the door, such as `cli`, `mcp` or `java`
/// @param session keeps a conversation's working folder, sandbox and spill files together
/// @param oneShot whether the session ends with the call: nobody hears of what happens later, and a process
///     goes on only if it was asked to outlive Talaria
public record Caller(String door, String session, boolean oneShot) {

    /// The session of callers that name none.
    public static final String DEFAULT_SESSION = "default";

    /// Makes a caller that stays for more than one call.
    public Caller(String door, String session) {
        this(door, session, false);
    }

    /// Returns the caller for calls made through the Java API.
    public static Caller java() {
        return new Caller("java", DEFAULT_SESSION);
    }
}
