package dev.talaria.api;

import java.time.Instant;
import java.util.Optional;

/// Asks a person for the password that sudo wants. What they answer goes to sudo alone: no model, log or result sees
/// it.
///
/// ```java
/// PasswordPrompt console = request ->
///         Optional.of(new String(System.console().readPassword("sudo in %s: ", request.sandbox())));
/// Engine engine = Engine.builder().passwordPrompt(console).build();
/// ```
@FunctionalInterface
public interface PasswordPrompt {

    /// Returns the password, waiting for it as long as it takes; an empty one means that the person gives none. The
    /// thread is interrupted when it is not wanted any more; an exception counts as none.
    ///
    /// @return nothing if there is nobody to ask about that call; then the next prompt is tried
    Optional<String> ask(Request request) throws InterruptedException;

    /// Asks for a password.
    ///
    /// @param call what needs it
    /// @param subject the command as a person should see it: secrets masked, nothing invisible in it
    /// @param sandbox the sandbox in which sudo runs
    /// @param again whether the answer before was wrong
    /// @param until when nobody waits any more
    record Request(ToolCall call, String subject, String sandbox, boolean again, Instant until) {}
}
