import dev.talaria.api.Answer;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;

/// Talks to an interactive program: a Python prompt on a terminal of its own.
void main() {
    try (var engine = Engine.builder().approver(_ -> Optional.of(Answer.ONCE)).build()) {
        var id = call(engine, "terminal", Map.of("command", "python3 -q", "background", true, "pty", true)).get("session_id");
        call(engine, "process", Map.of("action", "submit", "session_id", id, "data", "print(6 * 7)"));
        call(engine, "process", Map.of("action", "submit", "session_id", id, "data", "exit()"));
        var ended = call(engine, "process", Map.of("action", "wait", "session_id", id, "timeout", 20));
        IO.println(ended.get("status") + " " + ended.get("exit_code") + "\n" + ended.get("output"));
    }
}

Map<String, Object> call(Engine engine, String tool, Map<String, Object> arguments) {
    return engine.call(ToolCall.of(tool, arguments)).value();
}
