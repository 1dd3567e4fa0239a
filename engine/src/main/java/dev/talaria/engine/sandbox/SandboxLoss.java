package dev.talaria.engine.sandbox;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a session has lost with its sandbox or its relay. The session's next result tells it.
///
/// @param sandbox why the sandbox was replaced; absent if only the connection to it was
/// @param session what the session has lost
record SandboxLoss(Optional<String> sandbox, String session) {
    private static final String AS_AT_START = "This session's variables and folder are as at its start";
    private static final String ENDED = ", and background processes that ran there were ended.";

    static SandboxLoss ofConnection() {
        return new SandboxLoss(
                Optional.empty(), "The connection to the sandbox was lost and made anew. " + AS_AT_START + ENDED);
    }

    static SandboxLoss ofSandbox(String name) {
        return new SandboxLoss(
                Optional.of("The sandbox " + name + " was gone: it was removed from outside, or its machine was"
                        + " restarted. It was made anew, without the files that were in it alone."),
                AS_AT_START + ENDED);
    }

    static SandboxLoss ofIdleness(String name, Duration idle, boolean files) {
        return new SandboxLoss(
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
