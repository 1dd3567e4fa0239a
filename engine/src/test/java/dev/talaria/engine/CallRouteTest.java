package dev.talaria.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.CallEvent;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Gate;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallRouteTest {
    private static final Map<String, Object> ANYTHING = Map.of("type", "object");

    @TempDir
    private Path folder;

    private final List<CallEvent> events = new CopyOnWriteArrayList<>();

    private EngineBuilder engine() {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .backend(new NoBackend())
                .listener(events::add);
    }

    @Test
    void aCallIsToldOfFromStartToEnd() {
        try (Engine engine = engine().tool(
                        "twice", "Doubles.", ANYTHING, given -> 2 * ((Number) given.get("n")).intValue())
                .build()) {
            ToolResult result = engine.call(ToolCall.of("twice", Map.of("n", 21)));

            assertThat(result.value()).isEqualTo(Map.of("result", 42));
            assertThat(events)
                    .extracting(event -> event.getClass().getSimpleName())
                    .containsExactly("Started", "Ended");
        }
    }

    @Test
    void nothingIsAResultToo() {
        try (Engine engine =
                engine().tool("nothing", "Nothing.", ANYTHING, _ -> null).build()) {
            assertThat(engine.call(ToolCall.of("nothing", Map.of())).value()).containsEntry("result", null);
        }
    }

    @Test
    void whateverAToolThrowsIsAFailureThatTheCallerReads() {
        try (Engine engine = engine().tool("boom", "Throws.", ANYTHING, _ -> {
                    throw new IllegalStateException("bang");
                })
                .tool("broken", "Throws an error.", ANYTHING, _ -> {
                    throw new AssertionError("worse");
                })
                .build()) {
            assertThat(engine.call(ToolCall.of("boom", Map.of())))
                    .isEqualTo(new ToolResult.Failed(ErrorCode.TOOL_FAILED, "bang", Map.of("error", "bang")));
            assertThat(engine.call(ToolCall.of("broken", Map.of())))
                    .isEqualTo(new ToolResult.Failed(ErrorCode.INTERNAL, "worse", Map.of("error", "worse")));
            assertThat(events).hasSize(4);
        }
    }

    @Test
    void aPlaceThatIsNotThereIsToldInTheToolsOwnWords() {
        try (Engine engine = engine().build()) {
            ToolResult command = engine.call(ToolCall.of("terminal", Map.of("command", "true", "timeout", 1)));
            assertThat(command).isInstanceOf(ToolResult.Failed.class);
            assertThat(command.value().keySet())
                    .containsExactly("output", "exit_code", "error", "status", "reason", "retry_hint");
            assertThat(command.value())
                    .containsEntry("output", "")
                    .containsEntry("exit_code", -1)
                    .containsEntry("error", "Nothing opens here.")
                    .containsEntry("status", "degraded");
            ToolResult asked = engine.call(ToolCall.of("terminal", Map.of("command", "rm -rf build", "timeout", 1)));
            assertThat(asked.value()).as("the gate has to open it, too").containsEntry("status", "degraded");
        }
    }

    @Test
    void aScriptThatIsNotRunHasTheKeysOfOneThatIs() {
        Gate gate = (_, _) -> new Gate.Decision.Refused(
                "no", "Denied.", Map.of("output", "", "exit_code", -1, "error", "Denied.", "status", "blocked"));
        try (Engine engine = engine().gate(gate).build()) {
            ToolResult refused = engine.call(ToolCall.of("execute_code", Map.of("code", "print(1)")));
            assertThat(refused).isInstanceOf(ToolResult.Denied.class);
            assertThat(refused.value().keySet()).startsWith("status", "output");
            assertThat(refused.value()).containsEntry("status", "error").containsEntry("error", "Denied.");
            assertThat(engine.call(ToolCall.of("terminal", Map.of("command", "true")))
                            .value())
                    .containsEntry("status", "blocked");
            assertThat(engine.call(ToolCall.of("execute_code", Map.of())).value())
                    .containsEntry("status", "error");
        }
    }

    @Test
    void whatABuiltInToolThrowsIsOurBug() {
        Backend broken = new Backend() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Sandbox open(SandboxSpec spec) {
                throw new IllegalStateException("forgot something");
            }
        };
        try (Engine engine = engine().backend(broken).build()) {
            assertThat(engine.call(ToolCall.of("terminal", Map.of("command", "true"))))
                    .isEqualTo(new ToolResult.Failed(
                            ErrorCode.INTERNAL, "forgot something", Map.of("error", "forgot something")));
        }
    }

    @Test
    void aToolNamedLikeABuiltInOneIsDescribedByItsOwnSchema() {
        Map<String, Object> schema = Map.of(
                "type", "object", "properties", Map.of("ship", Map.of("type", "string")), "required", List.of("ship"));
        try (Engine engine = engine().tool("terminal", "Docks a ship.", schema, given -> given.get("ship"))
                .build()) {
            assertThat(engine.tools())
                    .filteredOn(tool -> tool.name().equals("execute_code"))
                    .singleElement()
                    .satisfies(tool -> assertThat(tool.description())
                            .contains("terminal(ship: str) -> dict")
                            .doesNotContain("command: str"));
        }
    }

    @Test
    void aGateThatFailsLetsNothingThrough() {
        try (Engine engine = engine().tool("act", "Acts.", ANYTHING, _ -> "done")
                .gate((_, _) -> {
                    throw new IllegalStateException("no rules");
                })
                .build()) {
            assertThat(engine.call(ToolCall.of("act", Map.of())))
                    .isInstanceOfSatisfying(
                            ToolResult.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.INTERNAL));
        }
    }

    @Test
    void aRefusalIsDeniedAndNeverStarted() {
        try (Engine engine = engine().tool("act", "Acts.", ANYTHING, _ -> "done")
                .gate((_, _) -> new Gate.Decision.Refused("denied", "Not today."))
                .build()) {
            assertThat(engine.call(ToolCall.of("act", Map.of())))
                    .isEqualTo(new ToolResult.Denied("Not today.", Map.of("error", "Not today.")));
            assertThat(events)
                    .extracting(event -> event.getClass().getSimpleName())
                    .containsExactly("Ended");
        }
    }

    @Test
    void aCallThatWasTakenBackBeforeItBeganDoesNotRun() {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel("changed my mind");
        try (Engine engine = engine().tool("act", "Acts.", ANYTHING, _ -> {
                    throw new IllegalStateException("it ran");
                })
                .build()) {
            assertThat(engine.call(ToolCall.of("act", Map.of()), cancellation))
                    .isInstanceOf(ToolResult.Cancelled.class);
        }
    }

    @Test
    void aSandboxThatCannotBeHadIsAResultWithTheUsualKeys() {
        try (Engine engine = engine().build()) {
            ToolResult result = engine.call(ToolCall.of("execute_code", Map.of("code", "print(1)")));

            assertThat(result).isInstanceOf(ToolResult.Failed.class);
            assertThat(result.value())
                    .containsEntry("status", "error")
                    .containsEntry("error", "Nothing opens here.")
                    .containsEntry("tool_calls_made", 0)
                    .containsKey("duration_seconds");
        }
    }

    @Test
    void resultsForModelsAreCapped() {
        try (Engine engine = engine().tool("much", "Says much.", ANYTHING, _ -> "x".repeat(300_000))
                .build()) {
            String text = String.valueOf(
                    engine.call(ToolCall.of("much", Map.of())).value().get("result"));

            assertThat(text.length()).isBetween(90_000, 100_000);
        }
    }

    @Test
    void aToolThatReturnsNothingOrWhatCannotBeShownHasFailed() {
        Tool nothing = new Tool() {
            @Override
            public ToolSpec spec() {
                return new ToolSpec("nothing", "Returns nothing.", ANYTHING);
            }

            @Override
            @SuppressWarnings("NullAway") // what a careless program does
            public ToolResult call(ToolContext context) {
                return null;
            }
        };
        Object unshowable = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("cannot be shown");
            }
        };
        try (Engine engine = engine().tool(nothing)
                .tool("odd", "Returns something odd.", ANYTHING, _ -> unshowable)
                .build()) {
            for (String tool : List.of("nothing", "odd")) {
                assertThat(engine.call(ToolCall.of(tool, Map.of()))).isInstanceOf(ToolResult.Failed.class);
                assertThat(events.getLast()).isInstanceOf(CallEvent.Ended.class);
            }
        }
    }
}
