package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests of failures that models know: each gets a class for programs and a hint for the model.
interface HintRuns extends RunSubject {

    @Test
    default void aToolThatIsNotThereIsAnsweredWithThoseThatAre() {
        RunResult ran = runs().run("from hermes_tools import browse_web");

        assertThat(ran.failed()).contains("cannot import name 'browse_web'");
        assertThat(ran.value()).containsEntry("cause", "tool_not_available");
        assertThat(ran.text("hint")).contains("read_file").contains("terminal").contains("echo");
    }

    @Test
    default void aHelperThatWasNotImportedIsSaidToBeImportable() {
        RunResult ran = runs().run("print(json_parse('{}'))");

        ran.failed();
        assertThat(ran.value()).containsEntry("cause", "helper_not_imported");
        assertThat(ran.text("hint")).contains("from hermes_tools import json_parse");
    }

    @Test
    default void aModuleThatIsNotInstalledIsNamed() {
        RunResult ran = runs().run("import no_such_module_4711");

        ran.failed();
        assertThat(ran.value()).containsEntry("cause", "module_missing");
        assertThat(ran.text("hint")).contains("no_such_module_4711").contains("terminal");
    }

    @Test
    default void aResultThatIsParsedTwiceIsExplained() {
        RunResult ran = runs().run("""
                import json
                from hermes_tools import terminal
                print(json.loads(terminal("echo 1")))
                """);

        ran.failed();
        assertThat(ran.value()).containsEntry("cause", "result_already_parsed");
        RunResult text = runs().run("from hermes_tools import terminal; print(terminal('echo')['output'].get('x'))");
        assertThat(text.value()).containsEntry("cause", "result_already_parsed");
    }

    @Test
    default void otherFailuresGetNoHint() {
        RunResult ran = runs().run("raise ValueError('NameError')");

        ran.failed();
        assertThat(ran.value()).doesNotContainKey("hint").containsEntry("cause", "script_failed");
    }

    @Test
    default void theSameScriptWithTheSameFailureIsFlagged() {
        Caller caller = Runs.freshSession();
        String failing = "x = 1\nraise ValueError('again')";

        assertThat(run(caller, failing).value()).doesNotContainKey("repeated_failure");
        assertThat(run(caller, failing).value()).containsEntry("repeated_failure", true);
        assertThat(run(caller, failing).note()).contains("same");
        run(caller, "print('something else')").succeeded();
        assertThat(run(caller, failing).value()).doesNotContainKey("repeated_failure");
        assertThat(run(Runs.freshSession(), failing).value()).doesNotContainKey("repeated_failure");
    }

    private RunResult run(Caller caller, String code) {
        return new RunResult(runs().engine().call(Runs.call(caller, code, Map.of())));
    }
}
