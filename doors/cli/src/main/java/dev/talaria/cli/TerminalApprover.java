package dev.talaria.cli;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Question;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// Asks the person at the terminal, one question after the other. The answer is read from the terminal
/// itself: stdin may be the script.
final class TerminalApprover implements Approver {
    static final String TERMINAL = "/dev/tty";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
    private static final int LONGEST_ANSWER = 100;

    private final Console console;
    private final Screen screen;
    private final ReentrantLock turn;
    private final Map<Topic, Long> allowed = new HashMap<>(); // and when; guarded by turn

    private record Topic(String session, String key) {}

    /// What else is written to the terminal.
    @FunctionalInterface
    interface Screen {
        /// Keeps everything else away from the terminal until closed.
        Held hold();

        /// Gives the terminal back.
        interface Held extends AutoCloseable {
            @Override
            void close();
        }
    }

    /// @param turn held by whoever talks to the person: one question after the other
    TerminalApprover(Console console, Screen screen, ReentrantLock turn) {
        this.console = console;
        this.screen = screen;
        this.turn = turn;
    }

    @Override
    public String name() {
        return "terminal";
    }

    @Override
    public Optional<Answer> ask(Question question) throws InterruptedException {
        if (!console.inIsTerminal() && !console.errIsTerminal()) {
            return Optional.empty(); // somebody's program, even if it was started from a terminal
        }
        long came = System.nanoTime();
        turn.lockInterruptibly();
        try (InputStream terminal = new FileInputStream(TERMINAL);
                Screen.Held _ = screen.hold()) {
            boolean said = topics(question).stream()
                    .allMatch(topic -> allowed.containsKey(topic) && allowed.get(topic) - came > 0);
            if (said) {
                return Optional.of(Answer.SESSION); // said while this question waited for its turn
            }
            Answer answer = ask(question, terminal);
            if (answer == Answer.SESSION || answer == Answer.ALWAYS) {
                topics(question).forEach(topic -> allowed.put(topic, System.nanoTime()));
            }
            return Optional.of(answer);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        } finally {
            turn.unlock();
        }
    }

    private static Set<Topic> topics(Question question) {
        String session = question.call().caller().session();
        return question.reasons().stream()
                .map(reason -> new Topic(session, reason.key()))
                .collect(Collectors.toSet());
    }

    private Answer ask(Question question, InputStream terminal) throws IOException, InterruptedException {
        // What was typed before the question was seen is no answer to it.
        terminal.skipNBytes(terminal.available());
        console.say("");
        console.say(paint("Talaria needs your approval: "), question.keys());
        question.subject().lines().forEach(line -> console.say("    " + line));
        console.say(question.why());
        while (true) {
            console.err().print(choices(question));
            console.err().flush();
            try {
                Optional<Answer> answer = answer(line(terminal, LONGEST_ANSWER), question.answers());
                if (answer.isPresent()) {
                    console.say(said(answer.get()));
                    return answer.get();
                }
                console.say("Type one of the letters in brackets.");
            } catch (InterruptedException e) {
                console.say("");
                console.say("No answer, so it is denied.");
                throw e;
            }
        }
    }

    private String choices(Question question) {
        String words = question.answers().stream()
                .sorted()
                .map(answer -> word(answer))
                .map(word -> "[" + word.charAt(0) + "]" + word.substring(1))
                .collect(Collectors.joining(", "));
        long seconds =
                Math.max(0, Duration.between(Instant.now(), question.until()).toSeconds());
        return words + " (no answer within " + seconds + " s is a no): ";
    }

    /// Looks for a line again and again: a thread that waits in a read could not be told that the answer came too late,
    /// and would take the next one.
    static String line(InputStream terminal, int longest) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder();
        while (true) {
            while (terminal.available() == 0) {
                Thread.sleep(LOOK_AGAIN);
            }
            byte[] bytes = terminal.readNBytes(Math.min(terminal.available(), longest));
            line.append(new String(bytes, StandardCharsets.UTF_8));
            if (bytes.length == 0 || line.indexOf("\n") >= 0 || line.length() >= longest) {
                return line.toString();
            }
        }
    }

    private static Optional<Answer> answer(String line, Set<Answer> possible) {
        String given = line.strip().toLowerCase(Locale.ROOT);
        if (given.isEmpty()) {
            return Optional.of(Answer.DENY); // Return alone never allows anything
        }
        return possible.stream()
                .filter(answer -> word(answer).equals(given)
                        || word(answer).substring(0, 1).equals(given))
                .findFirst()
                .or(() -> given.equals("n") || given.equals("no") ? Optional.of(Answer.DENY) : Optional.empty());
    }

    private static String said(Answer answer) {
        return switch (answer) {
            case ONCE -> "Allowed this time.";
            case SESSION -> "Allowed in this session.";
            case ALWAYS -> "Allowed from now on; 'talaria approvals' takes it back.";
            case DENY -> "Denied.";
        };
    }

    private String paint(String text) {
        return console.colours() ? "\033[33m" + text + "\033[0m" : text;
    }

    private static String word(Answer answer) {
        return answer.name().toLowerCase(Locale.ROOT);
    }
}
