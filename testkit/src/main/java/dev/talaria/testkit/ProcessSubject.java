package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// A target with background processes, and short ways to use them.
interface ProcessSubject extends RunSubject {
    Duration SOON = Duration.ofSeconds(100);

    default RunResult begin(String command, Map<String, Object> more) {
        Map<String, Object> arguments = new HashMap<>(Map.of("command", command, "background", true));
        arguments.putAll(more);
        return runs().call("terminal", arguments);
    }

    static String id(RunResult started) {
        assertThat(started.value()).containsKey("session_id");
        return started.text("session_id");
    }

    default RunResult process(String action, String id) {
        return process(action, id, Map.of());
    }

    default RunResult process(String action, String id, Map<String, Object> more) {
        Map<String, Object> arguments = new HashMap<>(Map.of("action", action, "session_id", id));
        arguments.putAll(more);
        return runs().call("process", arguments);
    }
}
