package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.Question;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import dev.talaria.engine.gate.rules.Rule;
import dev.talaria.engine.gate.rules.RuleTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A grant covers what the offer said, and nothing else. Nothing here is run: what gets past the gate fails
/// because its place cannot run it.
final class GrantScopesTest {
    private final List<Question> asked = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private Engine engine(Answer answer) {
        return engine(ApprovalMode.MANUAL, question -> {
            asked.add(question);
            return Optional.of(answer);
        });
    }

    private Engine engine(ApprovalMode mode, Approver approver) {
        Settings settings = Settings.defaults(Folders.below(folder));
        return Engine.builder()
                .settings(settings.withApprovals(settings.approvals().withMode(mode)))
                .backend(InertSandbox.of(Isolation.NONE))
                .cwd(folder)
                .approver(approver)
                .build();
    }

    private static ToolResult run(Engine engine, String session, Map<String, Object> arguments) {
        return engine.call(ToolCall.of(new Caller("test", session), "terminal", arguments));
    }

    private static ToolResult run(Engine engine, String command) {
        return run(engine, "one", Map.of("command", command));
    }

    private static boolean passed(ToolResult result) {
        return result instanceof ToolResult.Failed failed && failed.code() == ErrorCode.NOT_SUPPORTED;
    }

    @Test
    void theOffersNameTheirScopeNarrowestFirst() {
        try (Engine engine = engine(Answer.DENY)) {
            run(engine, "git push -f; git reset --hard");
        }
        assertThat(asked.getFirst().offers())
                .extracting(Question.Offer::answer)
                .containsExactly(
                        Answer.ONCE,
                        Answer.SESSION,
                        Answer.ALWAYS,
                        Answer.SESSION_KIND,
                        Answer.ALWAYS_KIND,
                        Answer.DENY);
        assertThat(asked.getFirst().offers())
                .extracting(Question.Offer::text)
                .containsExactly(
                        "this call alone",
                        "this very command in " + folder + " (place), until the session ends",
                        "this very command in " + folder + " (place), from now on",
                        "every git reset --hard, anywhere, and every git force push, anywhere, until the session ends",
                        "every git reset --hard, anywhere, and every git force push, anywhere, from now on",
                        "no");
    }

    @Test
    void alwaysIsThisVeryCommandInThisFolder() {
        try (Engine engine = engine(Answer.ALWAYS)) {
            run(engine, "rm -rf build");
            assertThat(run(engine, "rm -rf build")).matches(GrantScopesTest::passed);
            assertThat(run(engine, "two", Map.of("command", "rm -rf build"))).matches(GrantScopesTest::passed);
            run(engine, "two", Map.of("command", "rm -rf build", "timeout", 7));
            assertThat(asked).as("in every session").hasSize(1);
        }
        try (Engine engine = engine(Answer.DENY)) {
            assertThat(run(engine, "rm -rf build")).matches(GrantScopesTest::passed);
            for (Map<String, Object> other : List.<Map<String, Object>>of(
                    Map.of("command", "rm -rf dist"),
                    Map.of("command", "rm -rf build "),
                    Map.of("command", "rm -rf build", "workdir", "/srv"),
                    Map.of("command", "rm -rf build", "stdin_data", "x"),
                    Map.of("command", "rm -rf build", "background", true))) {
                assertThat(run(engine, "one", other)).as("%s", other).isInstanceOf(ToolResult.Denied.class);
            }
        }
    }

    @Test
    void theSameTextWithAnotherVariableIsAnotherCommand() {
        try (Engine engine = engine(Answer.SESSION)) {
            run(engine, "export X=build Y=1");
            run(engine, "rm -rf $X");
            run(engine, "export Y=2");
            run(engine, "rm -rf $X");
            assertThat(asked).hasSize(1);
            run(engine, "export X=src");
            run(engine, "rm -rf $X");
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void aSessionsGrantIsNoOtherSessions() {
        try (Engine engine = engine(Answer.SESSION)) {
            run(engine, "one", Map.of("command", "rm -rf build"));
            run(engine, "one", Map.of("command", "rm -rf build"));
            assertThat(asked).hasSize(1);
            run(engine, "two", Map.of("command", "rm -rf build"));
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void aScriptIsGrantedByItsTextOrAllAre() {
        Map<String, Object> script = Map.of("code", "print(1)");
        try (Engine engine = engine(ApprovalMode.ASK, question -> {
            asked.add(question);
            return Optional.of(Answer.SESSION);
        })) {
            engine.call(ToolCall.of("execute_code", script));
            engine.call(ToolCall.of("execute_code", script));
            assertThat(asked).hasSize(1);
            assertThat(asked.getFirst().offers())
                    .extracting(Question.Offer::text)
                    .contains(
                            "this very script in " + folder + " (place), from now on",
                            "every script, anywhere, from now on");
            Map<String, Object> more = new HashMap<>(script);
            more.put("args", List.of("x"));
            engine.call(ToolCall.of("execute_code", more));
            engine.call(ToolCall.of("execute_code", Map.of("code", "print(2)")));
            assertThat(asked).hasSize(3);
        }
    }

    @Test
    void whatIsNotOfferedIsNoAnswer() {
        try (Engine engine = engine(Answer.ALWAYS_FOLDER)) {
            assertThat(run(engine, "git push -f")).isInstanceOf(ToolResult.Denied.class);
            assertThat(new StoredApprovals(Folders.below(folder)).all()).isEmpty();
        }
    }

    @Test
    void belowThisFolderIsEveryCommandOfTheKindThatStaysThere() {
        ShellContext here = ShellContext.at(() -> Optional.of(folder.toString()));
        assumeFalse(Reading.of("rm -rf build", here).writes().isEmpty(), "the paths of a command are not read yet");
        try (Engine engine = engine(Answer.SESSION_FOLDER)) {
            assertThat(run(engine, "rm -rf build")).matches(GrantScopesTest::passed);
            assertThat(asked.getFirst().offers())
                    .extracting(Question.Offer::text)
                    .contains("every recursive delete that changes nothing but what lies below " + folder
                            + " (place), until the session ends");
            for (String same :
                    List.of("rm -rf dist", "rm -rf a/b c && echo done", "cd a; rm -rf ./b", "rm -rf build/x*")) {
                assertThat(run(engine, same)).as(same).matches(GrantScopesTest::passed);
            }
            assertThat(asked).hasSize(1);
            int questions = 1;
            for (String other : List.of(
                    "rm -rf .",
                    "rm -rf ../x",
                    "rm -rf build ../x",
                    "cd .. && rm -rf x",
                    "rm -rf $NOBODY_KNOWS",
                    "rm -rf $(cat list)",
                    "rm -rf build; ssh host rm -rf " + folder + "/x",
                    "rm -rf build > ../log",
                    "git push -f")) {
                run(engine, other);
                assertThat(asked).as(other).hasSize(++questions);
            }
        }
    }

    private static QuestionScope scope(List<String> writes) {
        Optional<ChangedPaths> changes =
                writes.isEmpty() ? Optional.empty() : Optional.of(new ChangedPaths(writes, "local", true));
        return new QuestionScope("command", "00", Optional.empty(), changes);
    }

    private static Question.Reason reason(String key) {
        return new Question.Reason(key, "Why.");
    }

    @ParameterizedTest
    @CsvSource({
        "delete build, true",
        "delete build/*, true",
        "write a/b/c, true",
        "write inside/x, true",
        "delete out, true",
        "delete out/x, false",
        "write out, false",
        "write out/x, false",
        "write nowhere, false",
        "write *, false",
        "delete */x, false",
        "delete ., false",
        "delete .., false",
        "delete ../x, false",
        "delete ../work2/x, false",
        "delete /etc/passwd, false",
        "delete ~/x, false",
        "move build, false"
    })
    void belowAFolderIsMeasuredWherePathsReallyLead(String line, boolean covered) throws Exception {
        Path work = Files.createDirectory(folder.resolve("work")).toRealPath();
        Files.createDirectory(work.resolve("real"));
        Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(work.resolve("inside"), work.resolve("real"));
        Files.createSymbolicLink(work.resolve("out"), folder.resolve("elsewhere"));
        Files.createSymbolicLink(work.resolve("nowhere"), folder.resolve("missing/deep"));
        String verb = line.substring(0, line.indexOf(' '));
        String path = line.substring(line.indexOf(' ') + 1);
        String absolute = path.startsWith("~") ? path : work.resolve(path).toString();
        Grant grant = new Grant.Below("recursive delete", new Grant.SandboxFolder("local", work.toString()));

        QuestionScope scope = scope(List.of("delete " + work + "/fine", verb + " " + absolute));

        assertThat(scope.covered(grant, reason("recursive delete"))).isEqualTo(covered);
        assertThat(scope.covered(grant, reason("find -delete"))).isFalse();
        assertThat(scope.covered(
                        new Grant.Below("recursive delete", new Grant.SandboxFolder("bubblewrap", work.toString())),
                        reason("recursive delete")))
                .isFalse();
    }

    @Test
    void belowAFolderIsOfferedOnlyWhereAllChangesAreKnownAndBelowIt() {
        String below = "delete " + folder + "/build";
        assertThat(answers(List.of(below), "recursive delete")).contains(Answer.ALWAYS_FOLDER, Answer.ALWAYS_KIND);
        assertThat(answers(List.of(), "recursive delete")).doesNotContain(Answer.SESSION_FOLDER, Answer.ALWAYS_FOLDER);
        assertThat(answers(List.of(below, "delete /srv/x"), "recursive delete")).doesNotContain(Answer.ALWAYS_FOLDER);
        assertThat(answers(List.of(below), "recursive delete", "git force push"))
                .as("a push is nowhere")
                .doesNotContain(Answer.ALWAYS_FOLDER);
        Grant.SandboxFolder home =
                new Grant.SandboxFolder("local", Folders.home().toString());
        assertThat(new ChangedPaths(List.of("delete " + Folders.home() + "/x"), "local", true).below(home))
                .as("a home is as good as anywhere")
                .isFalse();
    }

    @Test
    void whatChangesMoreThanItsWordsSayHasNoFolder() {
        for (String more : List.of(
                "rm -rf a; ssh host rm -rf b", "rm -rf a; find / -delete", "sudo rm -rf a", "rm -rf a && ./x.sh")) {
            assertThat(ChangedPaths.of(Reading.of(more))).as(more).isEmpty();
        }
    }

    @Test
    void whatCannotBeComputedIsGrantedForTheVeryCommandAlone() {
        for (String unclear : QuestionScope.UNCLEAR) {
            assertThat(answers(List.of("delete " + folder + "/build"), "recursive delete", unclear))
                    .containsExactly(Answer.ONCE, Answer.SESSION, Answer.ALWAYS, Answer.DENY);
            assertThat(scope(List.of()).covered(new Grant.Kind(unclear), reason(unclear)))
                    .isFalse();
        }
    }

    private List<Answer> answers(List<String> writes, String... keys) {
        QuestionScope known = scope(writes);
        QuestionScope scope = new QuestionScope(
                "command", "00", Optional.of(new Grant.SandboxFolder("local", folder.toString())), known.changes());
        return Offers.of(
                        scope,
                        List.of(keys).stream().map(GrantScopesTest::reason).toList(),
                        Offers.ABOUT_PATHS)
                .all()
                .stream()
                .map(Question.Offer::answer)
                .toList();
    }

    @Test
    void theRulesAboutPathsExist() {
        assertThat(RuleTable.dangerous().rules()).extracting(Rule::key).containsAll(Offers.ABOUT_PATHS);
    }
}
