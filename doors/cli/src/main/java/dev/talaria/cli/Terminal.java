package dev.talaria.cli;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The terminal of the person who waits for a call. A question has it alone, and reads from the terminal itself:
/// stdin may be the script.
final class Terminal {
    private static final String FILE = "/dev/tty";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Console console;
    private final Screen screen;
    private final ReentrantLock turn = new ReentrantLock(); // one question after the other

    /// The other output to the terminal.
    @FunctionalInterface
    interface Screen {
        /// Holds all other output back until closed.
        ScreenHold hold();

        /// Releases the terminal.
        interface ScreenHold extends AutoCloseable {
            @Override
            void close();
        }
    }

    /// Shows something to the person, and reads what they type.
    @FunctionalInterface
    interface Dialogue<T> {
        Optional<T> with(InputStream typed) throws IOException, InterruptedException;
    }

    Terminal(Console console, Screen screen) {
        this.console = console;
        this.screen = screen;
    }

    /// Runs a dialogue when its turn comes, and returns its result; empty if there is nobody to ask.
    <T> Optional<T> ask(Dialogue<T> dialogue) throws InterruptedException {
        if (!console.inIsTerminal() && !console.errIsTerminal()) {
            return Optional.empty(); // a program started us, even if from a terminal
        }
        turn.lockInterruptibly();
        try (InputStream typed = open();
                Screen.ScreenHold _ = screen.hold()) {
            return dialogue.with(typed);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        } finally {
            turn.unlock();
        }
    }

    static InputStream open() throws FileNotFoundException {
        return new FileInputStream(FILE);
    }

    /// Polls for a line. A thread in a blocking read could not be stopped when the answer comes too late, and
    /// would take the next answer.
    static String line(InputStream typed, int longest) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder();
        while (true) {
            while (typed.available() == 0) {
                Thread.sleep(LOOK_AGAIN);
            }
            byte[] bytes = typed.readNBytes(Math.min(typed.available(), longest));
            line.append(new String(bytes, StandardCharsets.UTF_8));
            if (bytes.length == 0 || line.indexOf("\n") >= 0 || line.length() >= longest) {
                return line.toString();
            }
        }
    }

    /// Runs `stty`: the JDK cannot change a terminal's modes, except for a read that cannot be cancelled.
    ///
    /// @return the output; empty if it failed
    static Optional<String> stty(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File(FILE))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.onExit().join().exitValue() == 0 ? Optional.of(said) : Optional.empty();
    }
}
