package dev.talaria.engine.decide;

import dev.talaria.api.ToolCall;

/// Says whether a call may happen. Asked for every call, whatever door, tool or script it comes through.
@FunctionalInterface
public interface Gate {
    Decision decide(ToolCall call);

    /// What the gate said, and the word for it in the audit log.
    sealed interface Decision {
        String word();

        record Allowed(String word) implements Decision {}

        record Refused(String word, String reason) implements Decision {}
    }

    /// Returns a gate that lets everything through that was admitted.
    static Gate open() {
        Decision allowed = new Decision.Allowed("allowed");
        return _ -> allowed;
    }
}
