package dev.talaria.api;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Something a model or a script may call. A tool says of itself all that the engine has to know of it.
///
/// ```java
/// Tool clock = new Tool() {
///     @Override
///     public ToolSpec spec() {
///         return new ToolSpec("clock", "Tells the time.", Map.of("type", "object"));
///     }
///
///     @Override
///     public ToolResult call(ToolContext context) {
///         return new ToolResult.Completed(Map.of("now", Instant.now().toString()));
///     }
/// };
/// Engine engine = Engine.builder().tool(clock).build();
/// ```
public interface Tool {

    /// Returns what a model is told about this tool.
    ToolSpec spec();

    /// Returns what scripts are told about this tool; empty if it is not for them.
    default Optional<ToolSpec> forScripts() {
        return Optional.of(spec());
    }

    /// Returns the parameters that a script must not use. A script's call goes on without them.
    default Set<String> closedToScripts() {
        return Set.of();
    }

    /// Returns what a call with these arguments does to the world. A tool of a program that builds an engine runs
    /// unless it declares something else; any other tool that declares nothing is asked about.
    default Effect effect(Map<String, Object> arguments) {
        return new Effect.Undeclared();
    }

    /// Returns the parameters that this tool takes besides those of its schema. A caller is told of all others that
    /// they did not count. Empty means that the tool may read any.
    default Optional<Set<String>> furtherParameters() {
        return Optional.empty();
    }

    /// Returns how secrets are masked in what this tool returns.
    default Masking masking() {
        return Masking.OUTPUT;
    }

    /// Returns what is wrong with the arguments in the tool's own words, before the schema is asked.
    default Optional<String> objection(Map<String, Object> arguments) {
        return Optional.empty();
    }

    /// Returns the value of a result that says no more than what is wrong with the arguments.
    default Map<String, Object> objected(String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result that says why the sandbox did not do the work.
    default Map<String, Object> failed(ErrorCode code, String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result that says why the work may not be done.
    ///
    /// @param value what it is for a command
    default Map<String, Object> refused(Map<String, Object> value) {
        return value;
    }

    /// Does the work and returns what came of it. An exception is reported to the caller as a failure of the tool.
    ToolResult call(ToolContext context) throws Exception;
}
