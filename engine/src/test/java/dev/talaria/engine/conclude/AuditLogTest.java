package dev.talaria.engine.conclude;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AuditLogTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

    @TempDir
    Path temp;

    private Folders folders;
    private Path file;

    @BeforeEach
    void folders() {
        folders = Folders.below(temp);
        file = folders.audit().resolve("audit.jsonl");
    }

    @Test
    void aLineSaysWhoWhatWhereAndHow() throws IOException {
        ToolCall parent = ToolCall.of(new Caller("mcp", "s1"), "execute_code", Map.of("code", "x"));
        ToolCall call = parent.nested("write_file", arguments("path", "a.txt", "content", "hello"));

        log(ended(call, ToolResult.completed("ok", true)));

        JsonNode line = only();
        assertThat(line.propertyNames())
                .containsExactly(
                        "time",
                        "call",
                        "parent",
                        "door",
                        "session",
                        "user",
                        "tool",
                        "arguments",
                        "sandbox",
                        "decision",
                        "ms",
                        "status",
                        "result");
        assertThat(line.get("time").asString()).isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(line.get("call").asString()).isEqualTo(call.id());
        assertThat(line.get("parent").asString()).isEqualTo(parent.id());
        assertThat(line.get("door").asString()).isEqualTo("mcp");
        assertThat(line.get("session").asString()).isEqualTo("s1");
        assertThat(line.get("user").asString()).isEqualTo(System.getProperty("user.name"));
        assertThat(line.get("tool").asString()).isEqualTo("write_file");
        assertThat(line.get("sandbox").asString()).isEqualTo("local");
        assertThat(line.get("decision").asString()).isEqualTo("allowed");
        assertThat(line.get("ms").asDouble()).isEqualTo(1.235);
        assertThat(line.get("status").asString()).isEqualTo("completed");
        assertThat(line.get("result").asString()).isEqualTo("c0ffee");
        assertThat(line.get("arguments").get("sizes").toString()).isEqualTo("{\"path\":5,\"content\":5}");
        assertThat(line.get("arguments").get("preview").asString()).isEqualTo("path=a.txt\ncontent=hello");
    }

    @Test
    void theHashOfArgumentsDoesNotDependOnTheirOrder() throws IOException {
        log(
                ended(ToolCall.of("t", arguments("a", "1", "b", "2")), ToolResult.completed("ok", true)),
                ended(ToolCall.of("t", arguments("b", "2", "a", "1")), ToolResult.completed("ok", true)),
                ended(ToolCall.of("t", arguments("b", "2", "a", "3")), ToolResult.completed("ok", true)));

        List<String> hashes = lines().stream()
                .map(line -> line.get("arguments").get("sha256").asString())
                .toList();
        assertThat(hashes.get(0))
                .isEqualTo(hashes.get(1))
                .isNotEqualTo(hashes.get(2))
                .hasSize(64);
    }

    static Stream<Map.Entry<String, ToolResult>> everyStatus() {
        return Stream.of(
                Map.entry("completed", ToolResult.completed("a", 1)),
                Map.entry("failed", ToolResult.failed(ErrorCode.CALL_LIMIT, "no more")),
                Map.entry("denied", new ToolResult.Denied("no", Map.of())),
                Map.entry("awaiting_approval", new ToolResult.AwaitingApproval("q1", Map.of())),
                Map.entry("timed_out", new ToolResult.TimedOut(Duration.ofSeconds(1), Map.of())),
                Map.entry("cancelled", new ToolResult.Cancelled("user", Map.of())),
                Map.entry("backgrounded", new ToolResult.Backgrounded("p1", Map.of())));
    }

    @ParameterizedTest
    @MethodSource("everyStatus")
    void everyResultHasAWord(Map.Entry<String, ToolResult> status) throws IOException {
        log(ended(ToolCall.of("t", Map.of()), status.getValue()));

        assertThat(only().get("status").asString()).isEqualTo(status.getKey());
        assertThat(only().has("error")).isEqualTo(status.getKey().equals("failed"));
    }

    @Test
    void secretsInArgumentsAndResultsStayOut() throws IOException {
        String padding = "x".repeat(190);
        log(
                ended(
                        ToolCall.of("t", arguments("command", "login hunter2secret", "hunter2key", 1)),
                        ToolResult.completed("output", "hunter2")),
                ended(ToolCall.of("t", arguments("command", padding + " hunter2tail")), ToolResult.completed("a", 1)),
                ended(
                        ToolCall.of("t", arguments("command", "hunter2" + "y".repeat(50_000))),
                        ToolResult.completed("a", 1)));

        assertThat(Files.readString(file)).doesNotContain("hunter").doesNotContain("secret");
        assertThat(lines().getFirst().get("arguments").get("preview").asString())
                .isEqualTo("command=login ***\n***");
    }

    @Test
    void linesStayShortHoweverLargeACallIs() throws IOException {
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("name".repeat(100) + i, "\u0000\uD83D\uDE00".repeat(1000));
        }

        log(ended(
                ToolCall.of(new Caller("d".repeat(5000), "s".repeat(5000)), "t".repeat(5000), many),
                ToolResult.completed("a", 1)));

        only();
        assertThat(Files.size(file)).isLessThan(16_000);
    }

    @Test
    void argumentsThatAreNoJsonDoNotStopTheLog() throws IOException {
        Map<String, Object> cycle = new HashMap<>();
        cycle.put("self", cycle);
        Map<String, Object> withNull = new HashMap<>();
        withNull.put("nothing", null);

        log(
                ended(ToolCall.of("t", Map.of("cycle", cycle)), ToolResult.completed("a", 1)),
                ended(ToolCall.of("t", withNull), ToolResult.completed("a", 1)));

        assertThat(lines().get(0).get("arguments").has("unreadable")).isTrue();
        assertThat(lines().get(1).get("arguments").get("sizes").get("nothing").asInt())
                .isZero();
    }

    @Test
    void onlyEndedCallsAreLogged() {
        log(new CallEvent.Started(ToolCall.of("t", Map.of()), AT));

        assertThat(file).doesNotExist();
        assertThat(folders.state()).doesNotExist();
    }

    @Test
    void theFileIsForItsOwnerOnly() throws IOException {
        log(anyCall());
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(folders.audit())).isEqualTo("rwx------");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        log(anyCall());

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(lines()).hasSize(2);
    }

    @Test
    void linesAppearWithoutClosing() {
        try (AuditLog log = AuditLog.open(folders, AuditLogTest::clean)) {
            log.on(anyCall());
            await().until(() -> Files.exists(file) && lines().size() == 1);
            log.on(anyCall());
            await().until(() -> lines().size() == 2);
        }
    }

    @Test
    void closingTwiceAndLoggingAfterwardsIsHarmless() throws IOException {
        AuditLog log = AuditLog.open(folders, AuditLogTest::clean);
        log.on(anyCall());

        log.close();
        log.close();
        log.on(anyCall());

        assertThat(lines()).hasSize(1);
    }

    @Test
    void fiftyThreadsLoseNothingThroughASmallQueue() throws IOException {
        try (AuditLog log = new AuditLog(folders.audit(), AuditLogTest::clean, 16, 1L << 30)) {
            inParallel(50, thread -> {
                for (int i = 0; i < 200; i++) {
                    log.on(call(thread + "-" + i));
                }
            });
        }

        assertThat(ids(lines())).hasSize(10_000).doesNotHaveDuplicates();
    }

    @Test
    void interruptedCallersLoseNothingAndStayInterrupted() throws IOException {
        try (AuditLog log = new AuditLog(folders.audit(), AuditLogTest::clean, 1, 1L << 30)) {
            inParallel(8, thread -> {
                Thread.currentThread().interrupt();
                for (int i = 0; i < 50; i++) {
                    log.on(call(thread + "-" + i));
                }
                assertThat(Thread.interrupted()).isTrue();
            });
        }

        assertThat(ids(lines())).hasSize(400).doesNotHaveDuplicates();
    }

    @Test
    void twoLogsShareOneFile() throws IOException {
        try (AuditLog one = AuditLog.open(folders, AuditLogTest::clean);
                AuditLog two = AuditLog.open(folders, AuditLogTest::clean)) {
            inParallel(20, thread -> {
                for (int i = 0; i < 500; i++) {
                    (thread % 2 == 0 ? one : two).on(call(thread + "-" + i));
                }
            });
        }

        assertThat(ids(lines())).hasSize(10_000).doesNotHaveDuplicates();
    }

    @Test
    void twoLogsRotateOneFileAndLoseNothing() throws IOException {
        long rotateAt = 50_000;
        try (AuditLog one = new AuditLog(folders.audit(), AuditLogTest::clean, 16, rotateAt);
                AuditLog two = new AuditLog(folders.audit(), AuditLogTest::clean, 16, rotateAt)) {
            inParallel(20, thread -> {
                for (int i = 0; i < 200; i++) {
                    (thread % 2 == 0 ? one : two).on(call(thread + "-" + i));
                }
            });
        }

        List<JsonNode> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folders.audit())) {
            for (Path path :
                    files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
                all.addAll(lines(path));
                assertThat(permissions(path)).isEqualTo("rw-------");
            }
        }
        assertThat(folders.audit().resolve("audit.1.jsonl")).exists();
        assertThat(folders.audit().resolve("audit.2.jsonl")).exists();
        assertThat(ids(all)).hasSize(4000).doesNotHaveDuplicates();
    }

    @Test
    void aRemovedFileIsMadeAgain() throws IOException {
        try (AuditLog log = AuditLog.open(folders, AuditLogTest::clean)) {
            log.on(anyCall());
            await().until(() -> Files.exists(file) && lines().size() == 1);
            Files.delete(file);

            log.on(call("again"));
        }

        assertThat(ids(lines())).containsExactly("again");
    }

    @Test
    void aFolderThatCannotBeWrittenIsReportedOnceAndLaterCounted() throws IOException {
        Files.createDirectories(folders.state());
        Files.writeString(folders.audit(), "in the way");
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(AuditFile.class);
        logger.setAdditive(false);
        logger.addAppender(warnings);
        warnings.start();

        AuditFile target = new AuditFile(folders.audit(), 1L << 30);
        target.append(List.of(AuditLine.of(call("lost-1"), AuditLogTest::clean)));
        target.append(List.of(
                AuditLine.of(call("lost-2"), AuditLogTest::clean), AuditLine.of(call("lost-3"), AuditLogTest::clean)));
        Files.delete(folders.audit());
        target.append(List.of(AuditLine.of(call("kept"), AuditLogTest::clean)));
        target.close();
        logger.detachAppender(warnings);
        logger.setAdditive(true);

        assertThat(warnings.list).hasSize(1).allMatch(event -> event.getLevel() == Level.WARN);
        assertThat(warnings.list.getFirst().getFormattedMessage()).contains("audit.jsonl", "Make room");
        assertThat(lines().get(0).get("lost").asInt()).isEqualTo(3);
        assertThat(lines().get(1).get("call").asString()).isEqualTo("kept");
    }

    @Test
    void aPipeInPlaceOfTheFileIsNotWaitedFor() throws IOException, InterruptedException {
        Folders.create(folders.audit());
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();

        log(anyCall());

        assertThat(file).exists();
    }

    private static String clean(String text) {
        return text.replaceAll("hunter2\\S*", "***");
    }

    private void log(CallEvent... events) {
        try (AuditLog log = AuditLog.open(folders, AuditLogTest::clean)) {
            for (CallEvent event : events) {
                log.on(event);
            }
        }
    }

    private static CallEvent.Ended anyCall() {
        return call("any");
    }

    private static CallEvent.Ended call(String id) {
        ToolCall call =
                new ToolCall(id, Optional.empty(), Caller.java(), "t", Map.of("text", "käse " + id), Optional.empty());
        return ended(call, ToolResult.completed("ok", true));
    }

    private static CallEvent.Ended ended(ToolCall call, ToolResult result) {
        return new CallEvent.Ended(
                call, result, Duration.ofNanos(1_234_567), "allowed", Optional.of("local"), "c0ffee", AT);
    }

    private static Map<String, Object> arguments(Object... namesAndValues) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return arguments;
    }

    private interface Work {
        void run(int thread);
    }

    private static void inParallel(int threads, Work work) {
        CountDownLatch start = new CountDownLatch(1);
        List<Throwable> failures = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            all.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                    work.run(number);
                } catch (InterruptedException | RuntimeException | AssertionError e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            }));
        }
        start.countDown();
        for (Thread thread : all) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        assertThat(failures).isEmpty();
    }

    private JsonNode only() throws IOException {
        assertThat(lines()).hasSize(1);
        return lines().getFirst();
    }

    private List<JsonNode> lines() throws IOException {
        return lines(file);
    }

    private static List<JsonNode> lines(Path path) throws IOException {
        return Files.readAllLines(path).stream().map(JSON::readTree).toList();
    }

    private static List<String> ids(List<JsonNode> lines) {
        return lines.stream().map(line -> line.get("call").asString()).toList();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
