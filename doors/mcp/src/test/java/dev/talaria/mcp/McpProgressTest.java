package dev.talaria.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class McpProgressTest {
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    @TempDir
    private Path folder;

    @Test
    void showsWhatAScriptPrintsAndCallsWhileItRuns() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        String code = """
                import hermes_tools
                print('one', flush=True)
                hermes_tools.wait()
                print('two', flush=True)
                """;
        try (Engine engine = TestEngine.below(folder)
                        .tool("wait", "Waits.", NO_PARAMETERS, _ -> await(goOn))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.callWithProgress(1, "token", "execute_code", Map.of("code", code));

            StringBuilder before = new StringBuilder();
            while (!before.toString().contains("one") || !before.toString().contains("calls wait")) {
                before.append(message(client.next())).append('\n');
            }
            goOn.countDown();

            assertThat(Conversation.text(client.result(1))).contains("one").contains("two");
            assertThat(progress(client))
                    .allMatch(params -> params.get("progressToken").equals("token"));
            assertThat(numbers(client)).doesNotHaveDuplicates().isSorted();
        }
    }

    @Test
    void aFloodIsThinnedOutAndEndsBeforeTheAnswer() throws Exception {
        String code = """
                import time
                for i in range(100_000):
                    print('line', i)
                    if i % 10_000 == 0:
                        time.sleep(0.1)
                """;
        try (Engine engine = TestEngine.below(folder).build()) {
            Conversation client = Conversation.greeted(engine);
            client.callWithProgress(1, 77, "execute_code", Map.of("code", code));

            client.result(1);
            assertThat(client.hangUp()).isTrue();

            assertThat(client.unread()).isEmpty();
            assertThat(numbers(client)).isNotEmpty().doesNotHaveDuplicates().isSorted();
            assertThat(progress(client))
                    .allMatch(params -> params.get("progressToken").equals(77));
            assertThat(progress(client).stream()
                            .map(params -> String.valueOf(params.get("message"))
                                    .lines()
                                    .count()))
                    .allMatch(lines -> lines <= 21);
        }
    }

    @Test
    void noneAreSentThatNobodyAskedFor() throws Exception {
        Path answered = folder.resolve("answered");
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call("quiet", "execute_code", Map.of("code", """
                    import os, time
                    print('quiet', flush=True)
                    while not os.path.exists('answered'): time.sleep(0.01)
                    """));
            client.callWithProgress("loud", "t", "execute_code", Map.of("code", "print('loud')"));
            client.result("loud");
            Files.createFile(answered);
            client.result("quiet");

            assertThat(progress(client).stream().map(params -> String.valueOf(params.get("message"))))
                    .noneMatch(message -> message.contains("quiet"));
        }
    }

    @Test
    void secretsAreMaskedInProgressToo() throws Exception {
        String code = """
                import hermes_tools
                print('key sk-ant-' + 'api03-' + 'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA', flush=True)
                print('printed', flush=True)
                hermes_tools.wait()
                """;
        CountDownLatch goOn = new CountDownLatch(1);
        try (Engine engine = TestEngine.below(folder)
                        .tool("wait", "Waits.", NO_PARAMETERS, _ -> await(goOn))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.callWithProgress(1, "t", "execute_code", Map.of("code", code));
            while (!message(client.next()).contains("printed")) {}
            goOn.countDown();
            client.result(1);

            assertThat(client.seen().toString()).contains("printed").doesNotContain("aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA");
        }
    }

    /// A backend on this machine that opens slowly.
    private record Slow(Backend here, CountDownLatch goOn) implements Backend {
        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Sandbox open(SandboxSpec spec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Sandbox open(SandboxSpec spec, Consumer<String> progress) {
            progress.accept("the image x: \033[31mlayer 1\nof 2");
            await(goOn);
            return here.open(spec);
        }
    }

    @Test
    void howASandboxIsGotReadyIsToldToAllThatWait() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Backend slow = new Slow(Backends.find("local").orElseThrow(), goOn);
        try (Engine engine = TestEngine.below(folder).backend(slow).build();
                Conversation client = Conversation.greeted(engine)) {
            client.callWithProgress(1, "a", "terminal", Map.of("command", "echo 1"));
            assertThat(message(client.next())).contains("the image x: layer 1").doesNotContain("of 2", "\033");
            client.callWithProgress(2, "b", "execute_code", Map.of("code", "print(2)"));
            assertThat(message(client.next())).contains("the image x: layer 1");
            goOn.countDown();

            Set<Object> answered = new HashSet<>();
            while (answered.size() < 2) { // in any order
                Map<String, Object> next = client.next();
                if (next.containsKey("id")) {
                    answered.add(next.get("id"));
                    assertThat(next.toString()).contains("isError=false");
                }
            }
        }
    }

    private static String message(Map<String, Object> notification) {
        assertThat(notification).containsEntry("method", "notifications/progress");
        return String.valueOf(Conversation.object(notification.get("params")).get("message"));
    }

    private static List<Map<String, Object>> progress(Conversation client) {
        return client.seen().stream()
                .filter(message -> "notifications/progress".equals(message.get("method")))
                .map(message -> Conversation.object(message.get("params")))
                .collect(Collectors.toList());
    }

    private static List<Double> numbers(Conversation client) {
        return progress(client).stream()
                .map(params -> ((Number) params.get("progress")).doubleValue())
                .toList();
    }

    private static String await(CountDownLatch latch) {
        try {
            latch.await();
            return "went on";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
