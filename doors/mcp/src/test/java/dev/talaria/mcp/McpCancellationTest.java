package dev.talaria.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class McpCancellationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    /// Starts a child and sleeps. Then it writes both process ids into a file.
    private static final String SLEEPER = """
            import os, subprocess, time
            child = subprocess.Popen(['sleep', '600'], start_new_session=True)
            with open('pids.new', 'w') as f:
                f.write(f'{os.getpid()} {child.pid}')
            os.rename('pids.new', 'pids')
            time.sleep(600)
            """;

    @TempDir
    private Path folder;

    @Test
    void cancellingEndsTheScriptAndItsProcessesAndSendsNoAnswer() throws Exception {
        try (Engine engine = TestEngine.below(folder).build()) {
            Conversation client = Conversation.greeted(engine);
            client.call("long", "execute_code", Map.of("code", SLEEPER));
            List<Long> pids = pids();

            client.say("notifications/cancelled", Map.of("requestId", "long", "reason", "the user changed their mind"));

            awaitGone(pids);
            client.call("next", "execute_code", Map.of("code", "print('still here')"));
            assertThat(Conversation.text(client.result("next"))).contains("still here");
            assertThat(client.hangUp()).isTrue();
            assertThat(client.unread()).isEmpty();
        }
    }

    @Test
    void onlyTheCallWithExactlyThisIdIsCancelled() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (Engine engine = TestEngine.below(folder)
                        .tool("wait", "Waits.", NO_PARAMETERS, _ -> waitFor(goOn))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "wait", Map.of());

            client.say("notifications/cancelled", Map.of("requestId", "1"));
            client.say("notifications/cancelled", Map.of("requestId", 2));
            client.say("notifications/cancelled", Map.of("requestId", List.of(1)));
            client.say("notifications/cancelled", Map.of());
            client.ask("ping", "ping", Map.of());
            client.result("ping");
            goOn.countDown();

            assertThat(Conversation.structured(client.result(1))).containsEntry("result", "went on");
        }
    }

    @Test
    void cancellingWhatIsOverDoesNothing() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "execute_code", Map.of("code", "print(1)"));
            client.result(1);

            client.say("notifications/cancelled", Map.of("requestId", 1));
            client.call(1, "execute_code", Map.of("code", "print(2)"));

            assertThat(Conversation.structured(client.result(1))).containsEntry("status", "success");
        }
    }

    @Test
    void anIdCannotBeUsedTwiceAtATime() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (Engine engine = TestEngine.below(folder)
                        .tool("wait", "Waits.", NO_PARAMETERS, _ -> waitFor(goOn))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "wait", Map.of());

            client.call(1, "execute_code", Map.of("code", "print(1)"));
            Map<String, Object> call = client.error(Optional.of(1));
            client.ask(1, "tools/list", Map.of());
            Map<String, Object> list = client.error(Optional.of(1));
            goOn.countDown();

            assertThat(call).containsEntry("code", -32600);
            assertThat(list).containsEntry("code", -32600);
            assertThat(Conversation.structured(client.result(1))).containsEntry("result", "went on");
        }
    }

    @Test
    void aClientThatDisappearsTakesItsScriptsWithIt() throws Exception {
        try (Engine engine = TestEngine.below(folder).build()) {
            Conversation client = Conversation.greeted(engine);
            client.call(1, "execute_code", Map.of("code", SLEEPER));
            List<Long> pids = pids();

            assertThat(client.hangUp()).isTrue();

            awaitGone(pids);
            assertThat(client.unread()).isEmpty();
        }
    }

    @Test
    void aToolThatDoesNotListenIsInterruptedWhenItsClientDisappears() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        try (Engine engine = TestEngine.below(folder)
                .tool("deaf", "Waits for ever.", NO_PARAMETERS, _ -> {
                    begun.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                    }
                    return "over";
                })
                .build()) {
            Conversation client = Conversation.greeted(engine);
            client.call(1, "deaf", Map.of());
            begun.await();

            assertThat(client.hangUp()).isTrue();

            assertThat(interrupted).isTrue();
        }
    }

    private List<Long> pids() {
        Path file = folder.resolve("pids");
        await().atMost(PATIENCE).until(() -> Files.exists(file));
        try {
            return List.of(Files.readString(file).split(" ")).stream()
                    .map(Long::valueOf)
                    .toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void awaitGone(List<Long> pids) {
        await().atMost(PATIENCE)
                .until(() -> pids.stream().allMatch(pid -> ProcessHandle.of(pid).isEmpty()));
    }

    private static String waitFor(CountDownLatch latch) {
        try {
            latch.await();
            return "went on";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
