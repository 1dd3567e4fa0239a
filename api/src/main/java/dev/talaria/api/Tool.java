package dev.talaria.api;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Something that a model or a script can call. A tool declares everything that the engine needs to know about it.
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

    /// Returns the name, description and schema that models see.
    ToolSpec spec();

    /// Returns the name, description and schema that scripts see; empty if scripts cannot call this tool.
    default Optional<ToolSpec> forScripts() {
        return Optional.of(spec());
    }

    /// Returns the parameters that scripts cannot use. The engine removes them from a script's call.
    default Set<String> closedToScripts() {
        return Set.of();
    }

    /// Returns what a call with these arguments does to the world. If a tool declares nothing, a person is asked
    /// about its calls; a tool that a program gives to its engine runs without a question.
    default Effect effect(Map<String, Object> arguments) {
        return new Effect.Undeclared();
    }

    /// Returns the parameters that this tool reads besides those of its schema. The result of a call names all
    /// others, since they had no effect. Empty means that the tool may read any parameter.
    default Optional<Set<String>> furtherParameters() {
        return Optional.empty();
    }

    /// Returns how the engine masks secrets in this tool's results.
    default Masking masking() {
        return Masking.OUTPUT;
    }

    /// Returns a sentence if something is wrong with the arguments. The engine asks this before it checks the
    /// schema.
    default Optional<String> objection(Map<String, Object> arguments) {
        return Optional.empty();
    }

    /// Returns the value of a result whose arguments were wrong.
    ///
    /// @param message what is wrong
    default Map<String, Object> objected(String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result if the sandbox failed.
    ///
    /// @param code the kind of failure
    /// @param message what failed, and what to do about it
    default Map<String, Object> failed(ErrorCode code, String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result if the gate refused the call.
    ///
    /// @param value the value that a refused command has
    default Map<String, Object> refused(Map<String, Object> value) {
        return value;
    }

    /// Does the work and returns the result. If this throws, the caller reads that the tool failed, and why.
    ToolResult call(ToolContext context) throws Exception;
}
