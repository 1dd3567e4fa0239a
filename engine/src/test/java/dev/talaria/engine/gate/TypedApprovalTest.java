package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.Effect;
import dev.talaria.api.Gate;
import dev.talaria.api.Isolation;
import dev.talaria.api.Question;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.reading.ShellContext;
import dev.talaria.engine.output.Redactor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is asked about lines that are typed into a process, and what an answer covers. Nothing here is run.
final class TypedApprovalTest {
    private final List<Question> asked = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private String command = "bash";
    private String lines = "";

    private RuleGate gate(Answer answer) {
        Approver approver = question -> {
            asked.add(question);
            return Optional.of(answer);
        };
        return new RuleGate(
                Settings.defaults(Folders.below(folder)),
                _ -> InertSandbox.of(Isolation.NONE),
                _ -> Optional.of("/srv/project"),
                (_, _) -> {
                    throw new IllegalStateException("no tool changes a file here");
                },
                new Approvers(List.of(approver)),
                Optional.empty(),
                Redactor.off(),
                (_, _, data) -> Optional.of(new TypedInput(
                        command, false, lines, data, ShellContext.at(() -> Optional.of("/srv/project")))));
    }

    private static Gate.Decision type(RuleGate gate, String data) {
        Map<String, Object> arguments = Map.of("action", "write", "session_id", "p1", "data", data);
        return gate.decide(
                new JudgedCall(ToolCall.of(new Caller("test", "one"), "process", arguments)),
                new Effect.Typing("p1", data));
    }

    @Test
    void aQuestionShowsWhatIsTypedAndWhere() {
        assertThat(type(gate(Answer.DENY), "rm -rf build\n")).isInstanceOf(Gate.Decision.Refused.class);
        assertThat(asked.getLast().subject()).isEqualTo("rm -rf build\n\n[typed into]\n| bash");
    }

    @Test
    void theSameLineAfterOthersIsAnotherMatter() {
        RuleGate gate = gate(Answer.SESSION);
        lines = "echo hi; r\\\n";
        assertThat(type(gate, "m -rf one\n")).isInstanceOf(Gate.Decision.Allowed.class);
        lines = "cp -r all one; r\\\n";
        assertThat(type(gate, "m -rf one\n")).isInstanceOf(Gate.Decision.Allowed.class);
        assertThat(asked).hasSize(2);
        assertThat(asked.getLast().subject()).startsWith("cp -r all one; r\\\nm -rf one");
    }

    @Test
    void aLineByItselfIsAskedAboutOnce() {
        RuleGate gate = gate(Answer.SESSION);
        type(gate, "rm -rf build\n");
        lines = "rm -rf build\necho hi\n";
        type(gate, "rm -rf build\n");
        assertThat(asked).hasSize(1);
    }

    @Test
    void whatIsTypedIntoADatabasesClientIsAStatement() {
        RuleGate gate = gate(Answer.DENY);
        command = "psql app";
        assertThat(type(gate, "drop table users;\n")).isInstanceOf(Gate.Decision.Refused.class);
        assertThat(type(gate, "select 1;\n")).isInstanceOf(Gate.Decision.Allowed.class);
        command = "redis-cli";
        assertThat(type(gate, "flushall\n")).isInstanceOf(Gate.Decision.Refused.class);
    }
}
