package dev.talaria.engine.sandbox;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a session has lost without its doing, as its next result tells it.
///
/// @param sandbox why its sandbox was made anew; absent if only the connection to it was
/// @param session what is gone with that
record Loss(Optional<String> sandbox, String session) {
    private static final String AS_AT_START = "This session's variables and folder are as at its start";
    private static final String ENDED = ", and background processes that ran there were ended.";

    static Loss ofConnection() {
        return new Loss(
                Optional.empty(), "The connection to the sandbox was lost and made anew. " + AS_AT_START + ENDED);
    }

    static Loss ofSandbox(String name) {
        return new Loss(
                Optional.of("The sandbox " + name + " was gone: it was removed from outside, or its machine was"
                        + " restarted. It was made anew, without the files that were in it alone."),
                AS_AT_START + ENDED);
    }

    static Loss ofIdleness(String name, Duration idle, boolean files) {
        return new Loss(
                Optional.of("The sandbox " + name + " was closed after " + idle.toSeconds()
                        + " s in which nobody used it (sandbox.idle), and opened anew"
                        + (files ? ", without the files that were in it alone." : ".")),
                AS_AT_START + ".");
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("environment_recreated", session);
        sandbox.ifPresent(text -> json.put("sandbox_recreated", text));
        return json;
    }
}
