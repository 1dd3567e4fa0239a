package dev.talaria.cli;

import dev.talaria.api.PasswordPrompt;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// Asks the person at the terminal for sudo's password. What is typed is not shown; whatever happens, what is typed
/// later is.
final class TerminalPassword implements PasswordPrompt {
    private static final int LONGEST = 1000;

    private final Console console;
    private final TerminalApprover.Screen screen;
    private final ReentrantLock turn;
    private final AtomicReference<Optional<String>> modes = new AtomicReference<>(Optional.empty()); // to be restored

    /// @param turn held by whoever talks to the person: one question after the other
    TerminalPassword(Console console, TerminalApprover.Screen screen, ReentrantLock turn) {
        this.console = console;
        this.screen = screen;
        this.turn = turn;
    }

    @Override
    public Optional<String> ask(Request request) throws InterruptedException {
        if (!console.inIsTerminal() && !console.errIsTerminal()) {
            return Optional.empty(); // somebody's program, even if it was started from a terminal
        }
        turn.lockInterruptibly();
        try (InputStream terminal = new FileInputStream(TerminalApprover.TERMINAL);
                TerminalApprover.Screen.Held _ = screen.hold()) {
            return hide() ? Optional.of(ask(request, terminal)) : Optional.empty();
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        } finally {
            show();
            turn.unlock();
        }
    }

    private String ask(Request request, InputStream terminal) throws IOException, InterruptedException {
        terminal.skipNBytes(terminal.available()); // typed for somebody else
        console.say("");
        console.say(request.again() ? "Sorry, that was wrong." : "sudo needs your password (" + request.place() + "):");
        request.subject().lines().forEach(line -> console.say("    " + line));
        long seconds =
                Math.max(0, Duration.between(Instant.now(), request.until()).toSeconds());
        console.err().print("Password (Return alone gives none, as does waiting for " + seconds + " s): ");
        console.err().flush();
        try {
            String typed = TerminalApprover.line(terminal, LONGEST);
            console.say("");
            return typed.endsWith("\n") ? typed.substring(0, typed.length() - 1) : typed;
        } catch (InterruptedException e) {
            console.say("");
            console.say("No password was given.");
            throw e;
        }
    }

    /// Hides what is typed; returns whether that worked.
    private boolean hide() throws IOException, InterruptedException {
        Optional<String> before = stty("-g");
        modes.set(before);
        return before.isPresent() && stty("-echo").isPresent();
    }

    /// Shows again what is typed, if it is hidden.
    void show() {
        modes.getAndSet(Optional.empty()).ifPresent(before -> {
            boolean interrupted = Thread.interrupted();
            try {
                stty(before);
            } catch (IOException e) {
                console.say("What you type is not shown: run 'stty sane'.");
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /// The JDK cannot change a terminal's modes, except for a read that cannot be taken back.
    private static Optional<String> stty(String mode) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("stty", mode)
                .redirectInput(new File(TerminalApprover.TERMINAL))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
    }
}
