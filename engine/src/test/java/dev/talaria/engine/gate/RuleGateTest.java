package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.Question;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.ApprovalQueue;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of the gate's steps, and what becomes of answers. Nothing here is run: a command that gets past the
/// gate fails because its place cannot run it.
final class RuleGateTest {
    private static final String DANGEROUS = "rm -rf build";
    private static final String HARD = "rm -rf /";
    private static final String HARMLESS = "ls -l";

    private final List<CallEvent.Ended> ended = new CopyOnWriteArrayList<>();
    private final List<Question> asked = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private Engine engine(InertSandbox place, UnaryOperator<ApprovalSettings> change, Approver... approvers) {
        Settings settings = Settings.defaults(Folders.below(folder));
        var builder = Engine.builder()
                .settings(settings.withApprovals(change.apply(settings.approvals())))
                .backend(place)
                .cwd(folder)
                .listener(event -> {
                    if (event instanceof CallEvent.Ended one) {
                        ended.add(one);
                    }
                });
        for (Approver approver : approvers) {
            builder.approver(approver);
        }
        return builder.build();
    }

    private Engine engine(UnaryOperator<ApprovalSettings> change, Approver... approvers) {
        return engine(InertSandbox.of(Isolation.NONE), change, approvers);
    }

    private Approver always(Answer answer) {
        return new Approver() {
            @Override
            public Optional<Answer> ask(Question question) {
                asked.add(question);
                return Optional.of(answer);
            }

            @Override
            public String name() {
                return "me";
            }
        };
    }

    private static ToolCall command(String session, String command) {
        return ToolCall.of(new Caller("test", session), "terminal", Map.of("command", command));
    }

    private static ToolCall command(String command) {
        return command("one", command);
    }

    private static ToolCall script(String code) {
        return ToolCall.of(new Caller("test", "one"), "execute_code", Map.of("code", code));
    }

    private static boolean passed(ToolResult result) {
        return result instanceof ToolResult.Failed failed && failed.code() == ErrorCode.NOT_SUPPORTED;
    }

    private String word() {
        return ended.getLast().decision();
    }

    @ParameterizedTest
    @EnumSource(ApprovalMode.class)
    void theHardFloorHoldsInEveryMode(ApprovalMode mode) {
        try (Engine engine =
                engine(settings -> settings.withMode(mode).withAllow(List.of(".*")), always(Answer.ALWAYS))) {
            ToolResult result = engine.call(command(HARD));

            assertThat(result).isInstanceOf(ToolResult.Denied.class);
            assertThat(result.value())
                    .containsEntry("status", "blocked")
                    .containsEntry("outcome", "blocked")
                    .containsEntry("exit_code", -1);
            assertThat(result.value().get("error")).asString().contains("root delete", "Do not retry");
            assertThat(word()).isEqualTo("hard floor: root delete");
            assertThat(asked).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"CONTAINER", "KERNEL", "MACHINE"})
    void whereTheHostIsOutOfReachOnlyTheUsersDenyRulesCount(Isolation isolation) {
        try (Engine engine = engine(
                InertSandbox.of(isolation),
                settings -> settings.withMode(ApprovalMode.ASK).withDeny(List.of("secret")))) {
            assertThat(engine.call(command(HARD))).matches(RuleGateTest::passed);
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
            assertThat(engine.call(command("x".repeat(500_000)))).matches(RuleGateTest::passed);
            assertThat(engine.call(script("print(1)"))).isNotInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(command("cat 'sec'ret"))).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @Test
    void aContainerWithAWayOutIsTheHost() {
        try (Engine engine = engine(new InertSandbox(Isolation.CONTAINER, true), settings -> settings)) {
            assertThat(engine.call(command(HARD))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(command(DANGEROUS))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(command(HARMLESS))).matches(RuleGateTest::passed);
        }
    }

    @Test
    void withoutAnApproverTheRefusalNamesTheSettings() {
        try (Engine engine = engine(settings -> settings)) {
            assertThat(engine.call(command(DANGEROUS)).value().get("error"))
                    .asString()
                    .contains("recursive delete", "nobody can be asked", "approvals.allow", "approvals.mode: allow")
                    .contains(
                            "Do not retry",
                            folder.resolve("config/talaria.yaml").toString());
            assertThat(word()).isEqualTo("no approver: recursive delete");
        }
    }

    @Test
    void denyRulesComeBeforeAllowRulesAndSeeEveryForm() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ALLOW)
                .withDeny(List.of("^terraform destroy", "(?i)drop table"))
                .withAllow(List.of(".*")))) {
            for (String denied : List.of(
                    "terraform destroy -auto-approve",
                    "cd infra && sudo /usr/bin/terraform 'destroy'",
                    "bash -c 'terraform destroy'",
                    "echo 'Drop Table x'")) {
                assertThat(engine.call(command(denied)))
                        .as(denied)
                        .isInstanceOfSatisfying(
                                ToolResult.Denied.class,
                                result -> assertThat(result.reason()).contains("approvals.deny"));
            }
            assertThat(engine.call(command("terraform plan"))).matches(RuleGateTest::passed);
            assertThat(engine.call(script("print(1)\n    DROP TABLE x\n"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(script("  terraform destroy"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(word()).isEqualTo("denied by rule: ^terraform destroy");
        }
    }

    @Test
    void allowRulesMatchTheWholeOfASimpleCommand() {
        try (Engine engine = engine(settings -> settings.withAllow(List.of("rm -rf (build|dist)", "git push .*")))) {
            assertThat(engine.call(command("rm -rf build"))).matches(RuleGateTest::passed);
            assertThat(word()).isEqualTo("allowed by rule: rm -rf (build|dist)");
            assertThat(engine.call(command(" git push -f "))).matches(RuleGateTest::passed);
            for (String more : List.of(
                    "rm -rf build2",
                    "git push -f; rm -rf x",
                    "git push -f $(rm -rf x)",
                    "git push -f > /etc/x",
                    "git push -f \"`rm -rf x`\"",
                    "git push -f | xargs rm",
                    "git push -f\nrm -rf x")) {
                assertThat(engine.call(command(more))).as(more).isInstanceOf(ToolResult.Denied.class);
            }
        }
    }

    @Test
    void modesDecideAboutWhatIsDangerousAlone() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ALLOW))) {
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
        }
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.DENY), always(Answer.ONCE))) {
            assertThat(engine.call(command(DANGEROUS))).isInstanceOf(ToolResult.Denied.class);
            assertThat(word()).isEqualTo("denied by mode: recursive delete");
            assertThat(engine.call(command(HARMLESS))).matches(RuleGateTest::passed);
            assertThat(asked).isEmpty();
        }
    }

    @Test
    void onceIsOnce() {
        try (Engine engine = engine(settings -> settings, always(Answer.ONCE))) {
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
            assertThat(word()).isEqualTo("approved once by me: recursive delete");
            assertThat(ended.getLast().result().value())
                    .containsEntry("approval", "Approved by the user (once): recursive delete.");
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void aSessionRemembersForItselfAndForTheReasonsThatWereAsked() {
        try (Engine engine = engine(settings -> settings, always(Answer.SESSION_KIND))) {
            engine.call(command("one", DANGEROUS));
            assertThat(engine.call(command("one", "rm -rf dist"))).matches(RuleGateTest::passed);
            assertThat(word()).isEqualTo("approved before: recursive delete");
            assertThat(asked).hasSize(1);
            engine.call(command("one", "rm -rf dist; git push -f"));
            assertThat(asked.getLast().keys()).isEqualTo("git force push");
            engine.call(command("two", DANGEROUS));
            assertThat(asked).hasSize(3);
        }
        assertThat(new StoredApprovals(Folders.below(folder)).all()).isEmpty();
    }

    @Test
    void alwaysIsKeptForItsOwnerUntilRevoked() throws Exception {
        try (Engine engine = engine(settings -> settings, always(Answer.ALWAYS_KIND))) {
            engine.call(command("rm -rf /srv/build"));
        }
        StoredApprovals stored = new StoredApprovals(Folders.below(folder));
        assertThat(stored.stored())
                .extracting(StoredApproval::grant)
                .containsExactly(new Grant.Kind("delete in root path"), new Grant.Kind("recursive delete"));
        assertThat(stored.all())
                .allMatch(one -> one.by().equals("me") && one.example().equals("rm -rf /srv/build"));
        Path file = folder.resolve("state/approvals/approvals.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Engine engine = engine(settings -> settings)) {
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
            assertThat(stored.revoke(stored.all().getLast().id())).isPresent();
            assertThat(engine.call(command(DANGEROUS))).isInstanceOf(ToolResult.Denied.class);
            assertThat(stored.revoke("nothing")).isEmpty();
            assertThat(stored.clear()).isEqualTo(1);
            Files.writeString(file, "{broken");
            assertThat(engine.call(command(DANGEROUS))).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @Test
    void whatIsRevokedIsAskedAboutAgainInTheSameSession() {
        try (Engine engine = engine(settings -> settings, always(Answer.ALWAYS))) {
            engine.call(command(DANGEROUS));
            engine.call(command(DANGEROUS));
            assertThat(asked).hasSize(1);
            new StoredApprovals(Folders.below(folder)).clear();
            engine.call(command(DANGEROUS));
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void aFileThatCannotBeReadAllowsNothingAndIsNotOverwritten() throws Exception {
        StoredApprovals stored = new StoredApprovals(Folders.below(folder));
        Path file = folder.resolve("state/approvals/approvals.json");
        try (Engine engine = engine(settings -> settings, always(Answer.ALWAYS))) {
            engine.call(command(DANGEROUS));
            Files.writeString(file, "{broken");
            engine.call(command("one", DANGEROUS));
            assertThat(asked).hasSize(2);
            assertThat(Files.readString(file)).isEqualTo("{broken");
            assertThatThrownBy(stored::all)
                    .hasMessageContaining("cannot be read")
                    .hasMessageContaining("talaria approvals clear");
            assertThat(engine.call(command("one", DANGEROUS))).matches(RuleGateTest::passed);
            assertThat(asked).as("allowed for the session").hasSize(2);
            stored.clear();
            assertThat(stored.all()).isEmpty();
        }
    }

    @Test
    void aQuestionIsAnsweredOnce() throws Exception {
        ApprovalQueue queue = new ApprovalQueue("queue");
        try (Engine engine = engine(settings -> settings.withTimeout(Duration.ofSeconds(20)), queue)) {
            CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(
                    () -> engine.call(command(DANGEROUS)),
                    task -> Thread.ofVirtual().start(task));
            await().until(() -> !queue.open().isEmpty());
            String id = queue.open().getFirst().id();
            assertThat(queue.answer(id, Answer.DENY)).isTrue();
            assertThat(queue.answer(id, Answer.ONCE)).isFalse();
            assertThat(result.get()).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @Test
    void anAnswerThatComesTooLateIsNone() {
        ApprovalQueue queue = new ApprovalQueue("queue");
        try (Engine engine = engine(settings -> settings.withTimeout(Duration.ofMillis(50)), queue)) {
            List<String> ids = new CopyOnWriteArrayList<>();
            Thread watcher = Thread.ofVirtual().start(() -> {
                await().until(() -> !queue.open().isEmpty());
                queue.open().forEach(question -> ids.add(question.id()));
            });
            assertThat(engine.call(command(DANGEROUS)).value()).containsEntry("outcome", "timeout");
            await().until(() -> queue.open().isEmpty());
            watcher.interrupt();
            ids.forEach(id -> assertThat(queue.answer(id, Answer.ALWAYS)).isFalse());
            assertThat(new StoredApprovals(Folders.below(folder)).all()).isEmpty();
        }
    }

    @Test
    void aCommandIsJudgedWhereItRuns() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ALLOW))) {
            for (Map<String, Object> arguments : List.<Map<String, Object>>of(
                    Map.of("command", "rm -rf *", "workdir", "/"),
                    Map.of("command", "rm -rf .", "workdir", "~"),
                    Map.of("command", "rm -rf ../*", "workdir", "/tmp"),
                    Map.of("command", "sh", "stdin_data", "rm -rf /"),
                    Map.of("command", "cd src; bash -s", "stdin_data", "echo hi\nrm -rf /\n"),
                    Map.of("command", "cat | sh", "stdin_data", "rm -rf /"),
                    Map.of("command", "xargs rm -rf", "stdin_data", "/"),
                    Map.of("command", "bash", "stdin_data", "x".repeat(300_000)))) {
                assertThat(engine.call(ToolCall.of("terminal", arguments)))
                        .as("%s", arguments)
                        .isInstanceOf(ToolResult.Denied.class);
            }
            for (Map<String, Object> arguments : List.<Map<String, Object>>of(
                    Map.of("command", "rm -rf *", "workdir", "/srv/app/build"),
                    Map.of("command", "cat > notes.txt", "stdin_data", "rm -rf /"),
                    Map.of("command", "wc -c", "stdin_data", "x".repeat(300_000)))) {
                assertThat(engine.call(ToolCall.of("terminal", arguments)))
                        .as("%s", arguments)
                        .matches(RuleGateTest::passed);
            }
        }
    }

    @Test
    void whatASessionHasExportedCountsInItsLaterCommands() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ALLOW))) {
            engine.call(command("one", "export X=/ Y=build; Z=/"));
            assertThat(engine.call(command("one", "rm -rf $X"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(command("one", "rm -rf $Y"))).matches(RuleGateTest::passed);
            assertThat(engine.call(command("two", "rm -rf $X"))).matches(RuleGateTest::passed);
            engine.call(command("one", "unset X Y")); // which a shell that is killed does not
            assertThat(engine.call(command("one", "rm -rf $X"))).isInstanceOf(ToolResult.Denied.class);
        }
    }

    /// Whether a shell has kept what it exported, only the shell knows.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "export TALARIA_Q=echo ⏎ $TALARIA_Q rm -rf build",
                "export API_TOKEN=echo ⏎ $API_TOKEN rm -rf build",
                "export D=rm ⏎ export D=ls; kill -9 $$ ⏎ $D -rf build",
                "export D=rm ⏎ export D=ls; exec true ⏎ ls ⏎ $D -rf build",
                "export D=ls ⏎ ${D-rm} -rf build",
                "export D=ls ⏎ ${D:-rm} -rf build",
                "export A=r B=m ⏎ export A=l B=s ⏎ $A$B -rf build",
                "export SHELL=echo ⏎ $SHELL -c 'rm -rf build'",
                "export V=1 ⏎ export V=2 ⏎ export V=3 ⏎ export V=4 ⏎ export V=5 ⏎ $V -rf build",
                "export A=1 B=2 C=3 D=4 E=ls ⏎ $E$A$B$C$D -rf build",
            })
    void whatASessionHasExportedMayHaveAnyOfItsValuesOrNone(String commands) {
        try (Engine engine = engine(settings -> settings)) {
            List<String> all = List.of(commands.split(" ⏎ ", -1));
            all.subList(0, all.size() - 1)
                    .forEach(
                            one -> assertThat(engine.call(command(one))).as(one).matches(RuleGateTest::passed));
            assertThat(engine.call(command(all.getLast()))).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "export P=/src/app ⏎ cd $P && make",
                "export PY=python3 ⏎ $PY x.py",
                "export CC=gcc CFLAGS=-O2 ⏎ $CC $CFLAGS -c x.c",
                "export V=1 ⏎ export V=2 ⏎ export V=3 ⏎ export V=4 ⏎ export V=5 ⏎ echo $V",
                "export A=1 B=2 C=3 D=4 E=5 ⏎ echo $A $B $C $D $E > out.txt",
                "export PATH=\"$HOME/bin:$PATH\" ⏎ make test",
            })
    void ordinaryVariablesAreNoReasonToAsk(String commands) {
        try (Engine engine = engine(settings -> settings)) {
            for (String one : commands.split(" ⏎ ", -1)) {
                assertThat(engine.call(command(one))).as(one).matches(RuleGateTest::passed);
            }
        }
    }

    private static ToolCall fed(String command, String input) {
        return ToolCall.of(new Caller("test", "one"), "terminal", Map.of("command", command, "stdin_data", input));
    }

    @Test
    void aQuestionShowsTheInputThatItIsAbout() {
        try (Engine engine = engine(settings -> settings, always(Answer.SESSION))) {
            engine.call(fed("sh", "rm -rf build\necho \033[2K ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"));
            assertThat(asked.getLast().subject())
                    .startsWith("sh\n[its input (stdin_data)]\n| rm -rf build\n| echo \\u001b[2K")
                    .doesNotContain("klmnopqrstuvw");
            String middle = ("echo " + "y".repeat(60) + "\n").repeat(500);
            engine.call(fed("sh", "rm -rf a\n" + middle + "rm -rf b"));
            assertThat(asked.getLast().subject())
                    .contains("| rm -rf a", "characters ...]", "| rm -rf b")
                    .hasSizeLessThan(7000);
        }
    }

    @Test
    void theSameCommandWithAnotherInputIsAnotherMatter() {
        try (Engine engine = engine(settings -> settings, always(Answer.SESSION))) {
            String middle = ("echo " + "y".repeat(30) + "\n").repeat(400);
            engine.call(fed("sh", "rm -rf a\n" + middle + "rm -rf b\n" + middle));
            engine.call(fed("sh", "rm -rf a\n" + middle + "rm -rf c\n" + middle));
            engine.call(fed("sh", "rm -rf a\n" + middle + "rm -rf c\n" + middle));
            assertThat(asked).hasSize(2);
            assertThat(asked.getFirst().subject()).isEqualTo(asked.getLast().subject());
            assertThat(asked.getFirst().matter())
                    .isNotEmpty()
                    .isNotEqualTo(asked.getLast().matter());
        }
    }

    @Test
    void whatADatabasesClientReadsIsJudged() {
        try (Engine engine = engine(settings -> settings)) {
            assertThat(engine.call(fed("psql", "DROP TABLE users;"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(fed("docker exec -i db psql", "truncate users;")))
                    .isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(fed("redis-cli", "flushall"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(fed("psql", "DELETE FROM a WHERE id = 1; SELECT 1")))
                    .matches(RuleGateTest::passed);
            assertThat(engine.call(fed("cat > notes.sql", "DROP TABLE users;"))).matches(RuleGateTest::passed);
        }
    }

    @Test
    void aNoIsANo() {
        try (Engine engine = engine(settings -> settings, always(Answer.DENY))) {
            assertThat(engine.call(command(DANGEROUS)).value())
                    .containsEntry("outcome", "denied")
                    .extractingByKey("error")
                    .asString()
                    .startsWith("Denied by the user")
                    .contains("Do not retry");
            assertThat(word()).isEqualTo("denied by me: recursive delete");
        }
    }

    @Test
    void anApproverThatFailsIsANoAndOneThatHasNobodyPassesOn() {
        try (Engine engine = engine(settings -> settings, always(Answer.ONCE), _ -> {
            throw new IllegalStateException("broken");
        })) {
            assertThat(engine.call(command(DANGEROUS))).isInstanceOf(ToolResult.Denied.class);
        }
        try (Engine engine = engine(settings -> settings, always(Answer.ONCE), _ -> Optional.empty())) {
            assertThat(engine.call(command(DANGEROUS))).matches(RuleGateTest::passed);
        }
    }

    @Test
    void silenceIsANo() {
        AtomicInteger thinking = new AtomicInteger(); // a busy machine may not even begin to ask in that time
        try (Engine engine = engine(settings -> settings.withTimeout(Duration.ofMillis(50)), _ -> {
            thinking.incrementAndGet();
            try {
                Thread.sleep(Duration.ofMinutes(1));
                return Optional.of(Answer.ONCE);
            } catch (InterruptedException e) {
                thinking.decrementAndGet();
                throw e;
            }
        })) {
            assertThat(engine.call(command(DANGEROUS)).value()).containsEntry("outcome", "timeout");
            assertThat(word()).isEqualTo("approval timed out: recursive delete");
            await().until(() -> thinking.get() == 0);
        }
    }

    @Test
    void aCallTakenBackDuringAQuestionIsCancelled() {
        Cancellation cancellation = new Cancellation();
        try (Engine engine = engine(settings -> settings, _ -> {
            cancellation.cancel("changed my mind");
            Thread.sleep(Duration.ofMinutes(1));
            return Optional.of(Answer.ONCE);
        })) {
            assertThat(engine.call(command(DANGEROUS), cancellation)).isInstanceOf(ToolResult.Cancelled.class);
        }
    }

    @Test
    void questionsAtTheSameTimeAreAllAnswerableInAnyOrder() throws Exception {
        ApprovalQueue queue = new ApprovalQueue("queue");
        try (Engine engine = engine(settings -> settings, queue)) {
            List<CompletableFuture<ToolResult>> results = new ArrayList<>();
            for (String one : List.of("rm -rf a", "rm -rf b", "git push -f")) {
                results.add(CompletableFuture.supplyAsync(
                        () -> engine.call(command(one)),
                        task -> Thread.ofVirtual().start(task)));
            }
            await().until(() -> queue.open().size() == 3);
            for (Question question : queue.open().reversed()) {
                boolean first = question.subject().equals("rm -rf a");
                assertThat(queue.answer(question.id(), first ? Answer.ONCE : Answer.DENY))
                        .isTrue();
            }
            assertThat(results.get(0).get()).matches(RuleGateTest::passed);
            assertThat(results.get(1).get()).isInstanceOf(ToolResult.Denied.class);
            assertThat(results.get(2).get()).isInstanceOf(ToolResult.Denied.class);
            assertThat(queue.open()).isEmpty();
            assertThat(queue.answer("gone", Answer.ONCE)).isFalse();
        }
    }

    @Test
    void aQuestionShowsWhatWouldRunAndHidesSecrets() {
        try (Engine engine = engine(settings -> settings, always(Answer.DENY))) {
            engine.call(command("rm -rf x\u202e\033[2K; export API_TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789"));
            assertThat(asked.getLast().subject())
                    .contains("rm -rf x\\u202e\\u001b[2K")
                    .doesNotContain("klmnopqrstuvw");
            assertThat(asked.getLast().reasons().getFirst().why()).isEqualTo("It deletes folders with all they hold.");
            engine.call(command("rm -rf x; " + ("echo " + "y".repeat(60) + "; ").repeat(500)));
            assertThat(asked.getLast().subject()).hasSizeLessThan(4200).contains("characters ...]");
        }
    }

    @Test
    void scriptsAreAskedAboutInModeAskAlone() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ASK), always(Answer.DENY))) {
            assertThat(engine.call(script("print(1)"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(asked.getLast().keys()).isEqualTo("execute_code");
            assertThat(asked.getLast().subject()).isEqualTo("print(1)");
        }
        for (ApprovalMode mode : List.of(ApprovalMode.MANUAL, ApprovalMode.ALLOW, ApprovalMode.DENY)) {
            try (Engine engine = engine(settings -> settings.withMode(mode))) {
                assertThat(engine.call(script("print(1)"))).isNotInstanceOf(ToolResult.Denied.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n", "#", "'", "$("})
    void oddCommandsAreNoReasonToFail(String odd) {
        try (Engine engine = engine(settings -> settings)) {
            assertThat(engine.call(command(odd))).isInstanceOfAny(ToolResult.Failed.class, ToolResult.Denied.class);
        }
    }

    @Test
    void whatCannotBeCheckedIsRefusedWithAWayOut() {
        try (Engine engine = engine(settings -> settings.withMode(ApprovalMode.ALLOW))) {
            for (String one : List.of("x".repeat(500_000), "a;".repeat(50_000))) {
                assertThat(engine.call(command(one)).value().get("error"))
                        .asString()
                        .contains("cannot be checked", "write_file");
            }
        }
    }
}
