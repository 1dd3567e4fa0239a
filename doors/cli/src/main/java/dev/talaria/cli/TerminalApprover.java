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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /// Something that was allowed for more than one call: an offer of one session, in its words. Those about one very
    /// command do not name it, so what it is about belongs to them; two may be shown alike.
    record Topic(String session, Question.Offer offer, String matter) {}

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
            Optional<Topic> said = topics(question)
                    .filter(topic -> allowed.containsKey(topic) && allowed.get(topic) - came > 0)
                    .findFirst();
            if (said.isPresent()) {
                return said.map(topic -> topic.offer().answer()); // said while this question waited for its turn
            }
            Answer answer = ask(question, terminal);
            topics(question)
                    .filter(topic -> topic.offer().answer() == answer)
                    .forEach(topic -> allowed.put(topic, System.nanoTime()));
            return Optional.of(answer);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        } finally {
            turn.unlock();
        }
    }

    static Stream<Topic> topics(Question question) {
        return question.offers().stream()
                .filter(offer -> offer.answer() != Answer.ONCE && offer.answer() != Answer.DENY)
                .filter(offer -> !oneThing(offer) || !question.matter().isEmpty())
                .map(offer ->
                        new Topic(question.call().caller().session(), offer, oneThing(offer) ? question.matter() : ""));
    }

    private static boolean oneThing(Question.Offer offer) {
        return switch (offer.answer()) {
            case SESSION, ALWAYS -> true;
            case ONCE, DENY, SESSION_FOLDER, ALWAYS_FOLDER, SESSION_KIND, ALWAYS_KIND -> false;
        };
    }

    private Answer ask(Question question, InputStream terminal) throws IOException, InterruptedException {
        show(console, question.keys(), question.subject(), question.why(), question.offers());
        Question.Offer chosen = choose(console, terminal, question.offers(), question.until());
        console.say(said(chosen));
        return chosen.answer();
    }

    /// Shows what is asked, and what each answer allows.
    static void show(Console console, String keys, String subject, String why, List<Question.Offer> offers) {
        console.say("");
        console.say(paint(console, "Talaria needs your approval: "), keys);
        subject.lines().forEach(line -> console.say("    " + line));
        console.say(why);
        int width =
                offers.stream().mapToInt(offer -> label(offer).length()).max().orElse(0);
        offers.forEach(offer -> console.say(
                "  " + label(offer) + " ".repeat(width - label(offer).length() + 2) + offer.text()));
    }

    /// Reads one of the answers from the terminal.
    static Question.Offer choose(Console console, InputStream terminal, List<Question.Offer> offers, Instant until)
            throws IOException, InterruptedException {
        // What was typed before the question was seen is no answer to it.
        terminal.skipNBytes(terminal.available());
        while (true) {
            long seconds = Math.max(0, Duration.between(Instant.now(), until).toSeconds());
            console.err().print("Your answer (no answer within " + seconds + " s is a no): ");
            console.err().flush();
            try {
                Optional<Question.Offer> chosen = chosen(line(terminal, LONGEST_ANSWER), offers);
                if (chosen.isPresent()) {
                    return chosen.get();
                }
                console.say("Type one of the letters in brackets.");
            } catch (InterruptedException e) {
                console.say("");
                console.say("No answer, so it is denied.");
                throw e;
            }
        }
    }

    /// Returns how an answer is typed, with its letters in brackets: `[a]lways`, `[af] always-folder`.
    private static String label(Question.Offer offer) {
        String word = offer.answer().word();
        String letters = letters(offer.answer());
        return "[" + letters + "]" + (letters.length() == 1 ? word.substring(1) : " " + word);
    }

    private static String letters(Answer answer) {
        return Stream.of(answer.word().split("-"))
                .map(part -> part.substring(0, 1))
                .collect(Collectors.joining());
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

    private static Optional<Question.Offer> chosen(String line, List<Question.Offer> offers) {
        String given = line.strip().toLowerCase(Locale.ROOT);
        boolean no = given.isEmpty() || given.equals("n") || given.equals("no"); // Return alone never allows anything
        return offers.stream()
                .filter(offer -> no
                        ? offer.answer() == Answer.DENY
                        : offer.answer().word().equals(given)
                                || letters(offer.answer()).equals(given))
                .findFirst();
    }

    static String said(Question.Offer offer) {
        return switch (offer.answer()) {
            case ONCE -> "Allowed this time.";
            case DENY -> "Denied.";
            case SESSION, SESSION_FOLDER, SESSION_KIND -> "Allowed: " + offer.text() + ".";
            case ALWAYS, ALWAYS_FOLDER, ALWAYS_KIND ->
                "Allowed: " + offer.text() + "; 'talaria approvals' takes it back.";
        };
    }

    private static String paint(Console console, String text) {
        return console.colours() ? "\033[33m" + text + "\033[0m" : text;
    }
}
