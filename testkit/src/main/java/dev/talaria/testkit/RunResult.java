package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The result of a run, with the questions that tests ask about it.
public record RunResult(ToolResult result) {

    public Map<String, Object> value() {
        return result.value();
    }

    /// Returns the value of a key; fails if there is none.
    public Object value(String key) {
        Object found = value().get(key);
        assertThat(found).as("key %s of %s", key, value()).isNotNull();
        return String.valueOf(found).isEmpty() || found == null ? "" : found;
    }

    public Optional<Object> find(String key) {
        return Optional.ofNullable(value().get(key));
    }

    public String text(String key) {
        return String.valueOf(value(key));
    }

    public long number(String key) {
        assertThat(value(key)).as("key %s of %s", key, value()).isInstanceOf(Number.class);
        return ((Number) value(key)).longValue();
    }

    public List<?> list(String key) {
        assertThat(value(key)).isInstanceOf(List.class);
        return (List<?>) value(key);
    }

    public String status() {
        return text("status");
    }

    public String output() {
        return text("output");
    }

    public long exitCode() {
        return number("exit_code");
    }

    public String error() {
        return text("error");
    }

    public String note() {
        return find("note").map(String::valueOf).orElse("");
    }

    /// Returns one limit as a pair of used and allowed.
    public Map<?, ?> limit(String name) {
        assertThat(value("limits")).isInstanceOf(Map.class);
        Object pair = ((Map<?, ?>) value("limits")).get(name);
        assertThat(pair).as("limit %s of %s", name, value()).isInstanceOf(Map.class);
        return pair instanceof Map<?, ?> map ? map : Map.of();
    }

    /// Asserts that the script ended well, and returns its output.
    public String succeeded() {
        assertThat(value()).containsEntry("status", "success").containsEntry("exit_code", 0);
        assertThat(result).isInstanceOf(ToolResult.Completed.class);
        return output();
    }

    /// Asserts that the script failed, and returns the error.
    public String failed() {
        assertThat(value()).containsEntry("status", "error");
        assertThat(result).isInstanceOf(ToolResult.Completed.class);
        return error();
    }

    /// Asserts that the script's time was over.
    public RunResult timedOut() {
        assertThat(value()).containsEntry("status", "timeout").containsEntry("exit_code", -1);
        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
        return this;
    }

    /// Asserts that the call never became a run, and returns the message.
    public String refused() {
        assertThat(result).isInstanceOf(ToolResult.Failed.class);
        return text("error");
    }

    /// Returns the numbers that the script printed, one or many in a line.
    public List<Long> numbers() {
        return succeeded()
                .strip()
                .lines()
                .flatMap(line -> List.of(line.strip().split("\\s+")).stream())
                .map(Long::valueOf)
                .toList();
    }
}
