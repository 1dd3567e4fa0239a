package dev.talaria.cli;

import dev.talaria.api.PasswordPrompt;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Asks the person at the terminal for sudo's password. The terminal does not show it. In every case the terminal
/// shows later input again.
final class TerminalPassword implements PasswordPrompt {
    private static final int LONGEST = 1000;

    private final Console console;
    private final Terminal terminal;
    private final AtomicReference<Optional<String>> modes = new AtomicReference<>(Optional.empty()); // to be restored

    TerminalPassword(Console console, Terminal terminal) {
        this.console = console;
        this.terminal = terminal;
    }

    @Override
    public Optional<String> ask(Request request) throws InterruptedException {
        return terminal.ask(typed -> {
            try {
                return hide() ? Optional.of(ask(request, typed)) : Optional.empty();
            } finally {
                show();
            }
        });
    }

    private String ask(Request request, InputStream typed) throws IOException, InterruptedException {
        typed.skipNBytes(typed.available()); // typed before the question
        console.say("");
        console.say(
                request.again() ? "Sorry, that was wrong." : "sudo needs your password (" + request.sandbox() + "):");
        request.subject().lines().forEach(line -> console.say("    " + line));
        long seconds =
                Math.max(0, Duration.between(Instant.now(), request.until()).toSeconds());
        console.printErr("Password (Return alone gives none, as does waiting for " + seconds + " s): ");
        try {
            String line = Terminal.line(typed, LONGEST);
            console.say("");
            return line.endsWith("\n") ? line.substring(0, line.length() - 1) : line;
        } catch (InterruptedException e) {
            console.say("");
            console.say("No password was given.");
            throw e;
        }
    }

    /// Hides the typed text. Returns whether that worked.
    private boolean hide() throws IOException {
        Optional<String> before = Terminal.stty("-g");
        modes.set(before);
        return before.isPresent() && Terminal.stty("-echo").isPresent();
    }

    /// Shows typed text again, if it is hidden.
    void show() {
        modes.getAndSet(Optional.empty()).ifPresent(before -> {
            try {
                var _ = Terminal.stty(before);
            } catch (IOException e) {
                console.say("What you type is not shown: run 'stty sane'.");
            }
        });
    }
}
