package dev.talaria.tests.door;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Door;
import dev.talaria.testkit.DoorContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class JavaDoorContractTest extends DoorContract {
    @Override
    protected Door open(Path home, Path work) {
        return new JavaDoor(Engine.builder()
                .settings(Settings.defaults(Folders.below(home)))
                .cwd(work)
                .build());
    }

    private record JavaDoor(Engine engine, ExecutorService executor) implements Door {
        JavaDoor(Engine engine) {
            this(engine, Executors.newVirtualThreadPerTaskExecutor());
        }

        @Override
        public Started start(String tool, Map<String, Object> arguments) {
            Cancellation cancellation = new Cancellation();
            Future<ToolResult> result = CompletableFuture.supplyAsync(
                    () -> engine.call(ToolCall.of(tool, arguments), cancellation), executor);
            return new Started() {
                @Override
                public void cancel() {
                    cancellation.cancel("the test said so");
                }

                @Override
                public Optional<Answer> await() throws Exception {
                    return Optional.of(answer(result.get()));
                }
            };
        }

        private static Answer answer(ToolResult result) {
            // Through JSON and back: numbers get the type that every other door gives them.
            Map<String, Object> value = Json.object(Json.bytes(result.value()));
            return switch (result) {
                case ToolResult.Completed _, ToolResult.Backgrounded _ -> new Answer(Kind.COMPLETED, value);
                case ToolResult.Failed _ -> new Answer(Kind.FAILED, value);
                case ToolResult.Denied _, ToolResult.AwaitingApproval _ -> new Answer(Kind.DENIED, value);
                case ToolResult.TimedOut _ -> new Answer(Kind.TIMED_OUT, value);
                case ToolResult.Cancelled _ -> new Answer(Kind.CANCELLED, value);
            };
        }

        @Override
        public void close() {
            engine.close();
            executor.close();
        }
    }
}
