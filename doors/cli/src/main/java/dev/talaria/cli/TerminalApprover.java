package dev.talaria.cli;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Question;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Asks the person at the terminal.
final class TerminalApprover implements Approver {
    private static final int LONGEST_ANSWER = 100;

    private final Console console;
    private final Terminal terminal;
    private final Map<Topic, Long> allowed = new HashMap<>(); // with the time; for the next question at this terminal

    /// An approval for more than one call: an offer of one session, in its words. The words of an offer for one
    /// command do not name the command, so its subject belongs to it: two offers may look the same.
    record Topic(String session, Question.Offer offer, String matter) {}

    TerminalApprover(Console console, Terminal terminal) {
        this.console = console;
        this.terminal = terminal;
    }

    @Override
    public String name() {
        return "terminal";
    }

    @Override
    public Optional<Answer> ask(Question question) throws InterruptedException {
        long came = System.nanoTime();
        return terminal.ask(typed -> {
            Optional<Topic> said = topics(question)
                    .filter(topic -> allowed.containsKey(topic) && allowed.get(topic) - came > 0)
                    .findFirst();
            if (said.isPresent()) {
                return said.map(topic -> topic.offer().answer()); // approved while this question waited for its turn
            }
            Answer answer = ask(question, typed);
            topics(question)
                    .filter(topic -> topic.offer().answer() == answer)
                    .forEach(topic -> allowed.put(topic, System.nanoTime()));
            return Optional.of(answer);
        });
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

    private Answer ask(Question question, InputStream typed) throws IOException, InterruptedException {
        show(console, question.keys(), question.subject(), question.why(), question.offers());
        Question.Offer chosen = choose(console, typed, question.offers(), question.until());
        console.say(said(chosen));
        return chosen.answer();
    }

    /// Shows the question, and what each answer allows.
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
    static Question.Offer choose(Console console, InputStream typed, List<Question.Offer> offers, Instant until)
            throws IOException, InterruptedException {
        // Keys that were typed before the question appeared do not answer it.
        typed.skipNBytes(typed.available());
        while (true) {
            long seconds = Math.max(0, Duration.between(Instant.now(), until).toSeconds());
            console.printErr("Your answer (no answer within " + seconds + " s is a no): ");
            try {
                Optional<Question.Offer> chosen = chosen(Terminal.line(typed, LONGEST_ANSWER), offers);
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

    /// Returns the label of an answer, with the letters to type in brackets: `[a]lways`, `[af] always-folder`.
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

    private static Optional<Question.Offer> chosen(String line, List<Question.Offer> offers) {
        String given = line.strip().toLowerCase(Locale.ROOT);
        boolean no = given.isEmpty() || given.equals("n") || given.equals("no"); // Return alone allows nothing
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
