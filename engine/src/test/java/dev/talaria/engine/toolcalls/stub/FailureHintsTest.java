package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.toolcalls.stub.FailureHints.Hint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureHintsTest {
    private static final List<String> TOOLS = List.of("terminal", "read_file");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    from hermes_tools import web_search               | tool_not_available    | read_file, terminal
                    import hermes_tools; hermes_tools.patch           | tool_not_available    | read_file, terminal
                    web_extract([])                                   | tool_not_available    | read_file, terminal
                    json_parse('[]')                                  | helper_not_imported   | from hermes_tools import json_parse
                    read_file('x')                                    | tool_not_imported     | from hermes_tools import read_file
                    import pandas_is_missing.core                     | module_missing        | terminal()
                    'text'['key']                                     | result_already_parsed | dicts
                    'text'.get('key')                                 | result_already_parsed | dicts
                    import json; json.loads({'output': 1})            | result_already_parsed | dicts
                    """)
    void realTracebacksAreRecognised(String script, String cause, String said) throws Exception {
        var tools = SevenTools.ALL.stream()
                .filter(tool -> TOOLS.contains(tool.name()))
                .toList();
        var traceback =
                new PythonProgram(folder, tools, StubTransport.SOCKET).run("""
                import traceback
                try:
                    exec(%s)
                except Exception:
                    traceback.print_exc()
                """.formatted(PythonText.string(script)));

        var hint = FailureHints.hint(traceback, TOOLS);

        assertThat(hint.map(Hint::cause)).as(traceback).hasValue(cause);
        assertThat(hint.map(Hint::text).orElseThrow()).contains(said);
    }

    @Test
    void otherFailuresGetNoHint() {
        assertThat(FailureHints.hint("", TOOLS)).isEmpty();
        assertThat(FailureHints.hint("ZeroDivisionError: division by zero", TOOLS))
                .isEmpty();
        assertThat(FailureHints.hint("NameError: name 'colour' is not defined", TOOLS))
                .isEmpty();
    }

    @Test
    void failureThatEndedTheScriptCounts() {
        var traceback = """
                ModuleNotFoundError: No module named 'pandas'

                During handling of the above exception, another exception occurred:

                TypeError: string indices must be integers, not 'str'
                """;

        assertThat(cause(traceback)).hasValue("result_already_parsed");
    }

    @Test
    void lastLineOfALongTracebackIsRead() {
        var noise = "  File \"x.py\", line 1, in f\n".repeat(1000);

        assertThat(cause(noise + "NameError: name 'retry' is not defined")).hasValue("helper_not_imported");
        assertThat(cause("NameError: name 'retry' is not defined\n" + noise)).hasValue("helper_not_imported");
    }

    @Test
    void helperThatCannotBeImportedMeansAnotherModule() {
        var hint = FailureHints.hint(
                "ImportError: cannot import name 'retry' from 'hermes_tools' (/w/hermes_tools.py)", TOOLS);

        assertThat(hint.map(Hint::cause)).hasValue("stub_module_shadowed");
        assertThat(hint.map(Hint::text).orElseThrow()).contains("hermes_tools.__file__");
    }

    @Test
    void hintNamesOnlyWhatIsThere() {
        var noTools = FailureHints.hint("ImportError: cannot import name 'terminal' from 'hermes_tools'", List.of());
        var noTerminal = FailureHints.hint("ModuleNotFoundError: No module named 'pandas'", List.of("read_file"));

        assertThat(noTools.map(Hint::text).orElseThrow()).contains("No tools");
        assertThat(noTerminal.map(Hint::text).orElseThrow()).doesNotContain("terminal");
    }

    private static Optional<String> cause(String traceback) {
        return FailureHints.hint(traceback, TOOLS).map(Hint::cause);
    }
}
