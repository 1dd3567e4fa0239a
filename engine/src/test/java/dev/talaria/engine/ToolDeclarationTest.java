package dev.talaria.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Effect;
import dev.talaria.api.Masking;
import dev.talaria.api.Question;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.tool.weather.WeatherTool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tool says of itself what it does: a new one needs its own class and one line in the engine's list.
class ToolDeclarationTest {
    private static final String TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

    @TempDir
    private Path folder;

    private final List<Question> asked = new CopyOnWriteArrayList<>();

    /// A tool that declares nothing.
    private record Plain(String name) implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    name, "Does something.", Map.of("type", "object", "properties", Map.of("path", Map.of())));
        }

        @Override
        public ToolResult call(ToolContext context) {
            return new ToolResult.Completed(Map.of("content", "a\rb " + TOKEN));
        }
    }

    /// A tool that declares all there is.
    private record Declared(Effect does) implements Tool {
        @Override
        public ToolSpec spec() {
            return new Plain("declared").spec();
        }

        @Override
        public Effect effect(Map<String, Object> arguments) {
            return does;
        }

        @Override
        public Optional<Set<String>> furtherParameters() {
            return Optional.of(Set.of("older_name"));
        }

        @Override
        public Masking masking() {
            return Masking.FILE;
        }

        @Override
        public ToolResult call(ToolContext context) {
            return new Plain("declared").call(context);
        }
    }

    /// Returns the one line that a built-in tool has in {@link Engine}.
    private static Engine.BuiltIn line(Tool tool) {
        return new Engine.BuiltIn(tool.spec().name(), _ -> tool);
    }

    private EngineBuilder engine(Answer answer) {
        Approver approver = question -> {
            asked.add(question);
            return Optional.of(answer);
        };
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .backend(new NoBackend())
                .approver(approver);
    }

    @Test
    void theBuiltInToolsAreThoseThatAnEngineHas() {
        try (Engine engine = engine(Answer.DENY).build()) {
            assertThat(Engine.builtInTools())
                    .containsExactly("execute_code", "terminal", "process", "read_file", "write_file")
                    .isEqualTo(engine.tools().stream().map(ToolSpec::name).toList());
            assertThat(engine.tools().toString()).doesNotContain("${");
        }
    }

    /// The tool's own package holds its class and its description; a line like those in {@link Engine} does the
    /// rest.
    @Test
    void aNewBuiltInToolIsItsOwnPackageAndOneLine() {
        Engine.BuiltIn line = new Engine.BuiltIn(WeatherTool.NAME, _ -> new WeatherTool());
        try (Engine engine = engine(Answer.DENY).builtIn(line).build()) {
            assertThat(engine.tools())
                    .extracting(ToolSpec::name)
                    .startsWith(Engine.builtInTools().toArray(String[]::new))
                    .endsWith("weather");
            assertThat(engine.tools().getLast().description()).isEqualTo("Tells the weather of 3 days. In words.");
            assertThat(engine.tools().getLast().inputSchema().toString()).contains("city", "words");
            assertThat(engine.tools().getFirst().description())
                    .contains("weather(city: str) -> dict\n    Tells the weather of 3 days.\n");
            assertThat(engine.call(ToolCall.of("weather", Map.of())).value().get("error"))
                    .isEqualTo("Invalid arguments for weather: 'city' is missing.");
            assertThat(engine.call(ToolCall.of("weather", Map.of("city", "Rome", "town", 1)))
                            .value())
                    .containsEntry("weather", "sunny in Rome")
                    .containsKey("ignored_arguments");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void aBuiltInToolThatDeclaresNothingIsAskedAbout() {
        try (Engine engine =
                engine(Answer.DENY).builtIn(line(new Plain("plain"))).build()) {
            ToolResult result = engine.call(ToolCall.of("plain", Map.of("path", "x")));

            assertThat(result).isInstanceOf(ToolResult.Denied.class);
            assertThat(asked.getFirst().subject()).isEqualTo("plain {\"path\":\"x\"}");
            assertThat(asked.getFirst().reasons().getFirst().key()).isEqualTo("tool plain");
        }
    }

    @Test
    void aYesForAToolCoversThatToolAlone() {
        try (Engine engine = engine(Answer.SESSION_KIND)
                .builtIn(line(new Plain("plain")))
                .builtIn(line(new Plain("other")))
                .build()) {
            engine.call(ToolCall.of("plain", Map.of("path", "x")));
            engine.call(ToolCall.of("plain", Map.of("path", "y")));
            assertThat(asked).hasSize(1);

            engine.call(ToolCall.of("other", Map.of("path", "x")));
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void aToolOfTheProgramRunsUnlessItSaysOtherwise() {
        try (Engine engine = engine(Answer.DENY).tool(new Plain("plain")).build()) {
            assertThat(engine.call(ToolCall.of("plain", Map.of()))).isInstanceOf(ToolResult.Completed.class);
        }
        Tool script = new Declared(new Effect.Script("print(1)", Map.of()));
        Settings settings = Settings.defaults(Folders.below(folder));
        Settings deny = settings.withApprovals(settings.approvals().withDeny(List.of("print")));
        try (Engine engine = engine(Answer.DENY).settings(deny).tool(script).build()) {
            assertThat(engine.call(ToolCall.of("declared", Map.of()))).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @Test
    void aToolSaysWhichParametersItTakesAndHowItIsMasked() {
        try (Engine engine = engine(Answer.DENY)
                .builtIn(line(new Declared(new Effect.Harmless())))
                .builtIn(line(new Plain("plain")))
                .tool(new Plain("users"))
                .build()) {
            Map<String, Object> value = engine.call(
                            ToolCall.of("declared", Map.of("path", "x", "older_name", 1, "pth", 2)))
                    .value();
            assertThat(value.get("ignored_arguments").toString())
                    .startsWith("'pth' is no parameter of declared")
                    .contains("There are path.");
            assertThat(value.get("content").toString()).startsWith("a\rb ").doesNotContain(TOKEN);

            Map<String, Object> printed =
                    engine.call(ToolCall.of("users", Map.of("pth", 2))).value();
            assertThat(printed).doesNotContainKey("ignored_arguments");
            assertThat(printed.get("content").toString()).startsWith("b ").doesNotContain(TOKEN);
        }
    }

    /// A program may replace a built-in tool: what it does not declare is as the built-in one declares it.
    @Test
    void aToolThatReplacesABuiltInOneIsJudgedAsThatOne() {
        Settings settings = Settings.defaults(Folders.below(folder));
        Settings deny = settings.withApprovals(settings.approvals().withDeny(List.of("secret-name")));
        try (Engine engine = engine(Answer.DENY)
                .settings(deny)
                .tool(new Plain("execute_code"))
                .tool(new Plain("read_file"))
                .build()) {
            assertThat(engine.call(ToolCall.of("execute_code", Map.of("code", "print('secret-name')"))))
                    .isInstanceOf(ToolResult.Denied.class);
            assertThat(engine.call(ToolCall.of("read_file", Map.of("path", "x")))
                            .value()
                            .get("content")
                            .toString())
                    .startsWith("a\rb ");
        }
    }
}
