package dev.talaria.engine.tool.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.tool.script.ExecuteCodeSpec.Limits;
import dev.talaria.engine.toolcalls.stub.SevenTools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExecuteCodeSpecTest {
    private static final Limits LIMITS = new Limits(Duration.ofMinutes(5), Duration.ofHours(1), 50, 500, 50_000);
    private static final ToolSpec WEATHER = new ToolSpec(
            "weather",
            "Tells the weather.\n" + "Very precisely. ".repeat(100),
            Map.of(
                    "type",
                    "object",
                    "properties",
                    Map.of("city", Map.of("type", "string")),
                    "required",
                    List.of("city")));

    @Test
    void listsExactlyTheCallableToolsInTheirOrder() {
        var tools = Stream.concat(Stream.of(WEATHER), SevenTools.ALL.reversed().stream())
                .toList();

        var description = spec(tools, "project", LIMITS).description();

        assertThat(description)
                .containsSubsequence(
                        "web_search(query: str, limit: int = 5) -> dict",
                        "web_extract(",
                        "read_file(",
                        "write_file(",
                        "search_files(",
                        "patch(",
                        "terminal(command: str, timeout: int = None, workdir: str = None) -> dict",
                        "weather(city: str) -> dict\n    Tells the weather. Very precisely.");
        assertThat(description).hasSizeLessThan(6000);
    }

    @Test
    void doesNotMentionWhatIsNotThere() {
        var spec = spec(List.of(SevenTools.named("read_file")), "project", LIMITS);

        assertThat(spec.description())
                .contains("read_file(path", "aio.read_file(")
                .doesNotContain("web_search", "terminal()", "write_file(");
        assertThat(codeText(spec)).contains("`from hermes_tools import read_file`");
    }

    @Test
    void whatDoesNotPersistIsSaidToItsEnd() {
        var terminal = SevenTools.named("terminal");

        assertThat(spec(List.of(terminal), "project", LIMITS).description())
                .contains(terminal.description())
                .contains("Not kept: aliases");
    }

    @Test
    void aToolWhoseBackgroundIsClosedToScriptsRunsInTheForeground() {
        var closed = Map.of("terminal", Set.of("pty", "background"), "read_file", Set.of("limit"));

        assertThat(ExecuteCodeSpec.spec(SevenTools.ALL, closed, "project", LIMITS).description())
                .containsOnlyOnce("runs in the foreground only")
                .contains("are shown. terminal() runs in the foreground only.\n");
        assertThat(spec(SevenTools.ALL, "project", LIMITS).description()).doesNotContain("foreground only");
    }

    @Test
    void importExampleNamesTheUsualTools() {
        assertThat(codeText(spec(SevenTools.ALL, "project", LIMITS)))
                .contains("`from hermes_tools import web_search, terminal, ...`");
        var files = SevenTools.ALL.stream()
                .filter(tool -> tool.name().contains("file"))
                .toList();
        assertThat(codeText(spec(files, "project", LIMITS)))
                .contains("`from hermes_tools import read_file, write_file, ...`");
    }

    @Test
    void saysLimitsModeHelpersAndThatRunsStartFresh() {
        var project =
                spec(SevenTools.ALL, "project", LIMITS).description();
        var strict = spec(
                        SevenTools.ALL,
                        "strict",
                        new Limits(Duration.ofSeconds(90), Duration.ofSeconds(90), 7, 8, 1234))
                .description();

        assertThat(project)
                .contains("5 minutes", "60 minutes", "50 tool calls", "500", "50 000 bytes", "session's working folder")
                .contains("json_parse", "shell_quote", "retry", "import aio", "starts fresh", "do not persist");
        assertThat(strict).contains("90 seconds", "7 tool calls", "1 234 bytes", "folder of their own");
    }

    @Test
    void withoutToolsItStillRunsScripts() {
        var spec = spec(List.of(), "project", LIMITS);

        assertThat(spec.description()).contains("No tools can be called").doesNotContain("aio");
        assertThat(codeText(spec)).doesNotContain("import");
    }

    @Test
    void parametersAreCodeTimeoutAndMaxToolCalls() {
        var schema = spec(SevenTools.ALL, "project", LIMITS).inputSchema();

        assertThat(schema).containsEntry("type", "object").containsEntry("required", List.of("code"));
        assertThat(property(schema, "code")).containsEntry("type", "string");
        assertThat(property(schema, "timeout")).containsEntry("type", "number");
        assertThat(property(schema, "timeout").get("description").toString()).contains("300", "3600");
        assertThat(property(schema, "max_tool_calls")).containsEntry("type", "integer");
    }

    @Test
    void defaultAboveItsCeilingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(Duration.ofMinutes(5), Duration.ofMinutes(1), 50, 50, 1))
                .withMessageContaining("PT5M");
    }

    private static ToolSpec spec(List<ToolSpec> callable, String mode, Limits limits) {
        return ExecuteCodeSpec.spec(callable, Map.of(), mode, limits);
    }

    private static String codeText(ToolSpec spec) {
        return property(spec.inputSchema(), "code").get("description").toString();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> property(Map<String, Object> schema, String name) {
        return (Map<String, Object>) ((Map<String, Object>) schema.get("properties")).get(name);
    }
}
