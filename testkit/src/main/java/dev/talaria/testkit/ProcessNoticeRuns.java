package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests the notices about background processes.
interface ProcessNoticeRuns extends ProcessSubject {
    @Test
    default void theEndIsToldOnceWithALaterResult() {
        Caller session = Runs.freshSession();
        RunResult started = new RunResult(runs().engine()
                .call(ToolCall.of(
                        session,
                        "terminal",
                        Map.of("command", "echo done; exit 4", "background", true, "notify", true))));
        String id = ProcessSubject.id(started);
        await().atMost(SOON).until(() -> !runs().engine().busy(session.session()));

        List<?> told = firstNotices(started, session);

        assertThat(told).hasSize(1);
        assertThat((Map<?, ?>) told.getFirst())
                .extracting("type", "session_id", "exit_code", "output")
                .containsExactly("completion", id, 4, "done\n");
        assertThat(notices(session)).isEmpty();
    }

    @Test
    default void whoeverWaitsForAnEndOrMakesItIsNotToldBesides() {
        Caller session = Runs.freshSession();
        for (int i = 0; i < 10; i++) {
            String action = i % 2 == 0 ? "wait" : "kill";
            String command = i % 2 == 0 ? "sleep 0.1" : "sleep 600";
            String id = ProcessSubject.id(new RunResult(runs().engine()
                    .call(ToolCall.of(
                            session, "terminal", Map.of("command", command, "background", true, "notify", true)))));

            RunResult over = new RunResult(
                    runs().engine().call(ToolCall.of(session, "process", Map.of("action", action, "session_id", id))));

            assertThat(over.value()).containsKey("exit_code").doesNotContainKey("notices");
        }
        assertThat(notices(session)).isEmpty();
    }

    @Test
    default void aWatchedTextIsTold() {
        Caller session = Runs.freshSession();
        RunResult started = new RunResult(runs().engine()
                .call(ToolCall.of(
                        session,
                        "terminal",
                        Map.of(
                                "command",
                                "echo nothing; echo server ready; sleep 600",
                                "background",
                                true,
                                "notify",
                                List.of("ready")))));
        String id = ProcessSubject.id(started);

        List<?> told = firstNotices(started, session);

        assertThat((Map<?, ?>) told.getFirst())
                .extracting("type", "pattern", "output")
                .containsExactly("watch_match", "ready", "server ready");
        runs().engine().call(ToolCall.of(session, "process", Map.of("action", "kill", "session_id", id)));
    }

    /// Returns the first notices: a quick process may have one before the call that starts it has
    /// ended.
    private List<?> firstNotices(RunResult started, Caller session) {
        return started.value().get("notices") instanceof List<?> already
                ? already
                : await().atMost(SOON).until(() -> notices(session), list -> !list.isEmpty());
    }

    private List<?> notices(Caller session) {
        Object told = runs().engine()
                .call(ToolCall.of(session, "process", Map.of("action", "list")))
                .value()
                .get("notices");
        return told instanceof List<?> list ? list : List.of();
    }
}
