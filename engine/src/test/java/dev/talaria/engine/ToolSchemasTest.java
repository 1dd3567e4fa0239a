package dev.talaria.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.toolcalls.stub.SevenTools;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ToolSchemasTest {
    private static final Map<String, Object> SCHEMA =
            Map.of("type", "object", "properties", Map.of("x", Map.of("type", "integer")));
    private static final ToolSpec TOOL = new ToolSpec("count", "Counts \"things\"", SCHEMA);

    @Test
    void openAiWrapsAFunction() {
        assertThat(ToolSchemas.value(TOOL, SchemaShape.OPENAI))
                .isEqualTo(Map.of(
                        "type",
                        "function",
                        "function",
                        Map.of("name", "count", "description", "Counts \"things\"", "parameters", SCHEMA)));
    }

    @Test
    void anthropicAndMcpDifferInTheSchemasKey() {
        assertThat(ToolSchemas.value(TOOL, SchemaShape.ANTHROPIC))
                .isEqualTo(Map.of("name", "count", "description", "Counts \"things\"", "input_schema", SCHEMA));
        assertThat(ToolSchemas.value(TOOL, SchemaShape.MCP))
                .isEqualTo(Map.of("name", "count", "description", "Counts \"things\"", "inputSchema", SCHEMA));
    }

    @Test
    void jsonIsAnArrayInTheGivenOrder() {
        var json = ToolSchemas.json(SevenTools.ALL, SchemaShape.MCP);

        Object read = JsonMapper.shared().readValue(json, Object.class);
        assertThat(read).isEqualTo(ToolSchemas.values(SevenTools.ALL, SchemaShape.MCP));
        assertThat(SevenTools.ALL)
                .extracting(ToolSpec::name)
                .containsExactly(
                        "web_search", "web_extract", "read_file", "write_file", "search_files", "patch", "terminal");
    }
}
