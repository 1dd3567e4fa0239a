package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Answer;
import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.PendingApproval;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions that nobody can be asked when they come, answered by another process or by the program. Nothing here is
/// run: what gets past the gate fails because its place cannot run it.
final class StoredQuestionsTest {
    private static final Map<String, Object> DANGEROUS = Map.of("command", "rm -rf build");

    @TempDir
    private Path folder;

    private Engine engine(UnaryOperator<ApprovalSettings> change) {
        Settings settings = Settings.defaults(Folders.below(folder));
        return Engine.builder()
                .settings(settings.withApprovals(change.apply(settings.approvals())))
                .backend(InertSandbox.of(Isolation.NONE))
                .cwd(folder)
                .answeredLater()
                .build();
    }

    private Engine engine() {
        return engine(settings -> settings);
    }

    /// As another process sees them.
    private StoredQuestions elsewhere(Instant now) {
        return new StoredQuestions(Folders.below(folder), _ -> {}, InstantSource.fixed(now));
    }

    private StoredQuestions elsewhere() {
        return elsewhere(Instant.now());
    }

    private static ToolResult call(Engine engine, String session, Map<String, Object> arguments) {
        return engine.call(ToolCall.of(new Caller("test", session), "terminal", arguments));
    }

    private static ToolResult call(Engine engine) {
        return call(engine, "one", DANGEROUS);
    }

    private static String id(ToolResult result) {
        assertThat(result).isInstanceOf(ToolResult.AwaitingApproval.class);
        return ((ToolResult.AwaitingApproval) result).approval();
    }

    private static boolean passed(ToolResult result) {
        return result instanceof ToolResult.Failed failed && failed.code() == ErrorCode.NOT_SUPPORTED;
    }

    private Path pending() {
        return folder.resolve("state/approvals/pending");
    }

    private String audit() throws Exception {
        return Files.readString(folder.resolve("state/audit/audit.jsonl"));
    }

    @Test
    void aCallThatNobodyCanBeAskedAboutSaysWhoCanAnswer() throws Exception {
        try (Engine engine = engine()) {
            ToolResult result = call(engine);
            String id = id(result);
            assertThat(id).matches("[0-9a-f]{32}");
            assertThat(result.value())
                    .containsEntry("status", "approval_required")
                    .containsEntry("approval_id", id)
                    .containsEntry("exit_code", -1)
                    .containsEntry("command", "rm -rf build")
                    .containsEntry("pattern_key", "recursive delete")
                    .containsKey("expires_at");
            assertThat(result.value().get("error"))
                    .asString()
                    .contains("talaria approvals answer " + id, "Do not retry", "exactly the same call");
            assertThat(id(call(engine)))
                    .as("the same call asks the same question")
                    .isEqualTo(id);
            assertThat(id(call(engine, "two", DANGEROUS))).isNotEqualTo(id);
            Path file = pending().resolve(id + ".json");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pending())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aScriptWaitsLikeACommand() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ASK))) {
            ToolCall script = ToolCall.of("execute_code", Map.of("code", "print(1)"));
            ToolResult result = engine.call(script);
            assertThat(result.value()).containsEntry("status", "approval_required");
            engine.approvals().answer(id(result), Answer.ONCE);
            assertThat(engine.call(script))
                    .isNotInstanceOfAny(ToolResult.AwaitingApproval.class, ToolResult.Denied.class);
        }
    }

    @Test
    void aYesCountsOnceForTheSameCallAndNoOther() {
        try (Engine engine = engine()) {
            String id = id(call(engine));
            assertThat(engine.approvals().answer(id, Answer.ONCE)).isInstanceOf(PendingApprovals.Reply.Accepted.class);
            for (Map<String, Object> other : List.<Map<String, Object>>of(
                    Map.of("command", "rm -rf build", "timeout", 5),
                    Map.of("command", "rm -rf build", "workdir", "/srv"),
                    Map.of("command", "rm -rf dist"))) {
                assertThat(id(call(engine, "one", other))).as("%s", other).isNotEqualTo(id);
            }
            assertThat(id(call(engine, "two", DANGEROUS))).as("another session").isNotEqualTo(id);
            ToolCall door = ToolCall.of(new Caller("door", "one"), "terminal", DANGEROUS);
            assertThat(id(engine.call(door))).as("another door").isNotEqualTo(id);
            assertThat(call(engine)).matches(StoredQuestionsTest::passed);
            assertThat(id(call(engine))).as("it is used up").isNotEqualTo(id);
        }
    }

    @Test
    void aNoIsTheUsersAndCountsOnce() {
        try (Engine engine = engine()) {
            engine.approvals().answer(id(call(engine)), Answer.DENY);
            assertThat(call(engine)).isInstanceOfSatisfying(ToolResult.Denied.class, denied -> {
                assertThat(denied.value().get("error")).asString().contains("Denied by the user", "Do not retry");
                assertThat(denied.reason()).doesNotContain("Do not retry");
            });
            assertThat(call(engine)).isInstanceOf(ToolResult.AwaitingApproval.class);
        }
    }

    @Test
    void anAnswerOutlivesTheProcessThatAsked() {
        String id;
        try (Engine engine = engine()) {
            id = id(call(engine));
        }
        assertThat(elsewhere().answer(id.substring(0, 6), Answer.SESSION, Caller.java(), "me"))
                .isInstanceOf(PendingApprovals.Reply.Accepted.class);
        try (Engine engine = engine()) {
            assertThat(call(engine)).matches(StoredQuestionsTest::passed);
            assertThat(call(engine)).as("for the session").matches(StoredQuestionsTest::passed);
        }
        try (Engine engine = engine()) {
            assertThat(call(engine)).isInstanceOf(ToolResult.AwaitingApproval.class);
        }
    }

    @Test
    void alwaysCountsEvenIfWhoeverAskedNeverComesBack() {
        try (Engine engine = engine()) {
            String id = id(call(engine, "gone", DANGEROUS));
            elsewhere().answer(id, Answer.ALWAYS_KIND, Caller.java(), "me");
        }
        assertThat(new StoredApprovals(Folders.below(folder)).grants())
                .containsExactly(new Grant.Kind("recursive delete"));
        try (Engine engine = engine()) {
            assertThat(call(engine, "new", Map.of("command", "rm -rf other"))).matches(StoredQuestionsTest::passed);
        }
    }

    @Test
    void ofTwoAnswersTheFirstCounts() throws Exception {
        try (Engine engine = engine()) {
            String id = id(call(engine));
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger late = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Answer answer = i % 2 == 0 ? Answer.ONCE : Answer.DENY;
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    switch (elsewhere().answer(id, answer, Caller.java(), "me")) {
                        case PendingApprovals.Reply.Accepted _ -> accepted.incrementAndGet();
                        case PendingApprovals.Reply.AlreadyAnswered _ -> late.incrementAndGet();
                        case PendingApprovals.Reply.Unknown _, PendingApprovals.Reply.NotOffered _ -> {}
                    }
                }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(accepted).hasValue(1);
            assertThat(late).hasValue(15);
        }
    }

    @Test
    void callsAtTheSameTimeUseOneAnswerOnce() throws Exception {
        try (Engine engine = engine()) {
            engine.approvals().answer(id(call(engine)), Answer.ONCE);
            AtomicInteger ran = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                threads.add(Thread.ofVirtual().start(() -> {
                    if (passed(call(engine))) {
                        ran.incrementAndGet();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(ran).hasValue(1);
        }
    }

    @Test
    void whenTimeIsOverQuestionAndAnswerAreVoid() {
        try (Engine engine = engine(settings -> settings.withPending(Duration.ofMillis(1)))) {
            String id = id(call(engine));
            assertThat(elsewhere(Instant.now().plusSeconds(1)).answer(id, Answer.ALWAYS, Caller.java(), "me"))
                    .isInstanceOf(PendingApprovals.Reply.Unknown.class);
        }
        try (Engine engine = engine(settings -> settings.withPending(Duration.ofHours(1)))) {
            String id = id(call(engine));
            assertThat(elsewhere().answer(id, Answer.ONCE, Caller.java(), "me"))
                    .isInstanceOf(PendingApprovals.Reply.Accepted.class);
            assertThat(elsewhere(Instant.now().plus(Duration.ofHours(2)))
                            .pending()
                            .waiting())
                    .isEmpty();
            assertThat(pending().resolve(id + ".json")).doesNotExist();
            assertThat(id(call(engine))).isNotEqualTo(id);
        }
    }

    @Test
    void inModeDenyNothingWaits() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.DENY))) {
            assertThat(call(engine)).isInstanceOf(ToolResult.Denied.class);
            assertThat(pending()).doesNotExist();
        }
    }

    @Test
    void theHardFloorDoesNotWait() {
        try (Engine engine = engine()) {
            assertThat(call(engine, "one", Map.of("command", "rm -rf /"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.approvals().pending().waiting()).isEmpty();
        }
    }

    @Test
    void whatIsNotOfferedIsNotAccepted() {
        try (Engine engine = engine()) {
            String id = id(call(engine, "one", Map.of("command", "git push -f")));
            assertThat(engine.approvals().answer(id, Answer.ALWAYS_FOLDER))
                    .isInstanceOf(PendingApprovals.Reply.NotOffered.class);
            assertThat(engine.approvals().answer("no such", Answer.ONCE))
                    .isInstanceOf(PendingApprovals.Reply.Unknown.class);
            assertThat(engine.approvals().answer("", Answer.ONCE)).isInstanceOf(PendingApprovals.Reply.Unknown.class);
        }
    }

    @Test
    void brokenForeignAndLinkedFilesAreLeftAndNamed() throws Exception {
        try (Engine engine = engine()) {
            String id = id(call(engine));
            Path real = pending().resolve(id + ".json");
            Path victim = folder.resolve("victim.json");
            Files.copy(real, victim);
            Path link = pending().resolve("a".repeat(32) + ".json");
            Files.createSymbolicLink(link, victim);
            Path broken = Files.writeString(pending().resolve("b".repeat(32) + ".json"), "{broken");
            Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rw-------"));
            Path open = Files.copy(real, pending().resolve("c".repeat(32) + ".json"));
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw-rw-"));
            Path renamed = Files.copy(real, pending().resolve("d".repeat(32) + ".json"));
            Path strange = Files.createDirectory(pending().resolve("folder"));
            new ProcessBuilder(
                            "mkfifo",
                            "-m",
                            "600",
                            pending().resolve("e".repeat(32) + ".json").toString())
                    .start()
                    .waitFor();

            PendingApprovals.Listing listing = engine.approvals().pending();

            assertThat(listing.waiting()).extracting(PendingApproval::id).containsExactly(id);
            assertThat(listing.leftAlone())
                    .hasSize(6)
                    .anyMatch(left -> left.contains(link.toString()) && left.contains("link"))
                    .anyMatch(left -> left.contains(broken.toString()))
                    .anyMatch(left -> left.contains(open.toString()) && left.contains("rw-rw-rw-"))
                    .anyMatch(left -> left.contains(renamed.toString()) && left.contains("another question"))
                    .anyMatch(left -> left.contains(strange.toString()))
                    .anyMatch(left -> left.contains("eeee") && left.contains("no file"));
            assertThat(List.of(victim, broken, open, renamed, strange)).allMatch(Files::exists);
            assertThat(link).isSymbolicLink();
            engine.approvals().answer(id, Answer.ONCE);
            assertThat(call(engine)).matches(StoredQuestionsTest::passed);
        }
    }

    @Test
    void aFolderThatIsALinkKeepsNoQuestion() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createDirectories(
                pending().getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(pending(), elsewhere);
        try (Engine engine = engine()) {
            assertThat(call(engine)).isInstanceOf(ToolResult.Denied.class);
            assertThatThrownBy(() -> engine.approvals().pending()).hasMessageContaining("it is a link");
            assertThat(Files.isSymbolicLink(pending())).isTrue();
            try (var files = Files.list(elsewhere)) {
                assertThat(files).isEmpty();
            }
        }
    }

    @Test
    void anAnswerThatSomebodyWidenedInTheFileDoesNotCount() throws Exception {
        try (Engine engine = engine()) {
            String id = id(call(engine));
            engine.approvals().answer(id, Answer.SESSION);
            Path file = pending().resolve(id + ".json");
            String text = Files.readString(file);
            Files.writeString(file, text.replace("this very command in", "every command in"));
            assertThat(call(engine)).isInstanceOf(ToolResult.AwaitingApproval.class);
        }
        assertThat(audit()).contains("answer dropped");
    }

    @Test
    void aSessionCannotBuryThePersonUnderQuestions() {
        try (Engine engine = engine()) {
            for (int i = 0; i < 20; i++) {
                id(call(engine, "one", Map.of("command", "rm -rf b" + i)));
            }
            assertThat(call(engine, "one", Map.of("command", "rm -rf more"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(call(engine, "two", DANGEROUS)).isInstanceOf(ToolResult.AwaitingApproval.class);
        }
    }

    @Test
    void whoeverCanBeAskedIsAskedAtOnce() {
        Settings settings = Settings.defaults(Folders.below(folder));
        try (Engine engine = Engine.builder()
                .settings(settings)
                .backend(InertSandbox.of(Isolation.NONE))
                .cwd(folder)
                .answeredLater()
                .approver(_ -> Optional.of(Answer.ONCE))
                .build()) {
            assertThat(call(engine)).matches(StoredQuestionsTest::passed);
            assertThat(Files.exists(pending(), LinkOption.NOFOLLOW_LINKS)).isFalse();
        }
    }

    @Test
    void everyStepIsInTheAuditLog() throws Exception {
        String id;
        try (Engine engine = engine()) {
            id = id(call(engine));
            engine.approvals().answer(id, Answer.ONCE);
            engine.approvals().answer(id, Answer.DENY);
            call(engine);
            String second = id(call(engine));
            engine.approvals().answer(second, Answer.DENY);
            call(engine);
        }
        try (Engine engine = engine(settings -> settings.withPending(Duration.ofNanos(1)))) {
            id(call(engine, "late", DANGEROUS));
            engine.approvals().pending();
        }
        assertThat(audit().lines().filter(line -> line.contains(id)))
                .satisfiesExactly(
                        line -> assertThat(line).contains("approval required (" + id, "awaiting_approval"),
                        line -> assertThat(line).contains("answered once by java (" + id),
                        line -> assertThat(line).contains("answer refused: answered before (" + id),
                        line -> assertThat(line).contains("approved once by java (" + id));
        assertThat(audit()).contains("denied by java (", "expired: not answered (");
    }
}
