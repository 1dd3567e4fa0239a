package dev.talaria.engine.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AuditLogTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

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
    void onlyEndedCallsAreLogged() {
        log(new CallEvent.Started(ToolCall.of("t", Map.of()), AuditLineTest.AT));

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
    void noLineIsLostWhenTheLogIsClosedAtOnce() throws IOException {
        for (int i = 0; i < 300; i++) {
            log(anyCall());
        }

        assertThat(lines()).hasSize(300);
    }

    @Test
    void linesAppearWithoutClosing() {
        try (AuditLog log = AuditLog.open(folders, AuditLineTest::clean)) {
            log.on(anyCall());
            await().until(() -> Files.exists(file) && lines().size() == 1);
            log.on(anyCall());
            await().until(() -> lines().size() == 2);
        }
    }

    @Test
    void closingTwiceAndLoggingAfterwardsIsHarmless() throws IOException {
        AuditLog log = AuditLog.open(folders, AuditLineTest::clean);
        log.on(anyCall());

        log.close();
        log.close();
        log.on(anyCall());

        assertThat(lines()).hasSize(1);
    }

    @Test
    void fiftyThreadsLoseNothingThroughASmallQueue() throws IOException {
        try (AuditLog log = new AuditLog(folders.audit(), AuditLineTest::clean, 16, 1L << 30)) {
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
        try (AuditLog log = new AuditLog(folders.audit(), AuditLineTest::clean, 1, 1L << 30)) {
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
        try (AuditLog one = AuditLog.open(folders, AuditLineTest::clean);
                AuditLog two = AuditLog.open(folders, AuditLineTest::clean)) {
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
        try (AuditLog one = new AuditLog(folders.audit(), AuditLineTest::clean, 16, rotateAt);
                AuditLog two = new AuditLog(folders.audit(), AuditLineTest::clean, 16, rotateAt)) {
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
        try (AuditLog log = AuditLog.open(folders, AuditLineTest::clean)) {
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
        target.append(List.of(AuditLine.of(call("lost-1"), AuditLineTest::clean)));
        target.append(List.of(
                AuditLine.of(call("lost-2"), AuditLineTest::clean),
                AuditLine.of(call("lost-3"), AuditLineTest::clean)));
        Files.delete(folders.audit());
        target.append(List.of(AuditLine.of(call("kept"), AuditLineTest::clean)));
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

    private void log(CallEvent... events) {
        try (AuditLog log = AuditLog.open(folders, AuditLineTest::clean)) {
            for (CallEvent event : events) {
                log.on(event);
            }
        }
    }

    private static CallEvent.Ended anyCall() {
        return call("any");
    }

    private static CallEvent.Ended call(String id) {
        ToolCall call = new ToolCall(
                id,
                Optional.empty(),
                Caller.java(),
                "t",
                Map.of("text", "käse " + id),
                Optional.empty(),
                Optional.empty());
        return AuditLineTest.ended(call, ToolResult.completed("ok", true));
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
