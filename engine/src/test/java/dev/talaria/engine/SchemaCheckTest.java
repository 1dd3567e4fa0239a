package dev.talaria.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaCheckTest {
    private static final Map<String, Object> SCHEMA = Map.of(
            "type",
            "object",
            "properties",
            Map.of(
                    "path", Map.of("type", "string"),
                    "limit", Map.of("type", "integer"),
                    "order", Map.of("type", "string", "enum", List.of("up", "down")),
                    "tags", Map.of("type", "array", "items", Map.of("type", "string")),
                    "where", Map.of("type", "object", "required", List.of("city"))),
            "required",
            List.of("path"));

    @Test
    void whatFitsHasNoProblem() {
        assertThat(SchemaCheck.problem(SCHEMA, Map.of("path", "a", "limit", 3, "order", "up", "tags", List.of("x"))))
                .isEmpty();
        assertThat(SchemaCheck.problem(SCHEMA, Map.of("path", "a", "limit", 3.0)))
                .isEmpty();
    }

    @Test
    void nullCountsAsNotGiven() {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("path", null);
        arguments.put("limit", null);

        assertThat(SchemaCheck.problem(SCHEMA, arguments)).hasValue("'path' is missing");
    }

    @Test
    void everyProblemIsNamed() {
        var problem = SchemaCheck.problem(
                SCHEMA, Map.of("path", 1, "limit", 2.5, "order", "sideways", "tags", Arrays.asList("x", 4)));

        assertThat(problem.orElseThrow())
                .contains("'path' must be string, not number")
                .contains("'limit' must be integer")
                .contains("'order' must be one of [up, down]")
                .contains("'tags[1]' must be string");
    }

    @Test
    void nestedObjectsAreLookedInto() {
        assertThat(SchemaCheck.problem(SCHEMA, Map.of("path", "a", "where", Map.of())))
                .hasValue("'where.city' is missing");
    }

    @Test
    void parametersThatDoNotExistAreRefusedOnlyWhereTheSchemaSaysSo() {
        Map<String, Object> closed = new LinkedHashMap<>(SCHEMA);
        closed.put("additionalProperties", false);

        assertThat(SchemaCheck.problem(SCHEMA, Map.of("path", "a", "other", 1))).isEmpty();
        assertThat(SchemaCheck.problem(closed, Map.of("path", "a", "other", 1)).orElseThrow())
                .contains("'other' is not a parameter");
    }
}
