package dev.talaria.api;

import java.time.Instant;
import java.util.Optional;

/// Asks a person for sudo's password. Only sudo receives the password; no model, log or result shows it.
///
/// ```java
/// PasswordPrompt console = request ->
///         Optional.of(new String(System.console().readPassword("sudo in %s: ", request.sandbox())));
/// Engine engine = Engine.builder().passwordPrompt(console).build();
/// ```
@FunctionalInterface
public interface PasswordPrompt {

    /// Waits for the password and returns it. An empty text means that the person gives no password, and so
    /// does an exception. The engine interrupts the thread when it no longer needs a password.
    ///
    /// @return empty if this prompt has nobody to ask about the call; the engine then tries the next prompt
    Optional<String> ask(Request request) throws InterruptedException;

    /// A request for a password.
    ///
    /// @param call the call whose command needs the password
    /// @param subject the command as a person should see it: secrets are masked, invisible characters are
    ///     visible
    /// @param sandbox the name of the sandbox in which sudo runs
    /// @param again whether the previous password was wrong
    /// @param until the time after which the engine no longer waits
    record Request(ToolCall call, String subject, String sandbox, boolean again, Instant until) {}
}
