package dev.talaria.engine.gate;

import dev.talaria.api.Answer;
import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Caller;
import dev.talaria.api.Question;
import dev.talaria.api.Question.Offer;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.admin.PendingApproval;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores the questions that nobody could answer when they came. Each is a file, so that another
/// process can answer it. An answer counts once, for the same call, until the question's time is
/// over.
public final class StoredQuestions implements PendingApprovals {
    private static final Logger LOG = LoggerFactory.getLogger(StoredQuestions.class);
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{32}\\.json");
    private static final int ID_BYTES = 16;
    private static final int SHORTEST_ID = 4;

    /// The limit for one session: more questions would bury those that a person should see.
    private static final int MOST_OF_A_SESSION = 20;

    private static final int MOST = 200;

    private final Folders folders;
    private final CallListener audit;
    private final InstantSource clock;
    private final StoredApprovals stored;

    /// Opens the questions in these folders.
    ///
    /// @param audit gets every step, as a call of `approvals`
    public StoredQuestions(Folders folders, CallListener audit, InstantSource clock) {
        this.folders = folders;
        this.audit = audit;
        this.clock = clock;
        this.stored = new StoredApprovals(folders);
    }

    /// @param waiting oldest first
    private record QuestionList(List<StoredQuestion> waiting, List<String> leftAlone) {}

    @Override
    public Listing pending() {
        return inFolder(false, this::list)
                .map(found -> new Listing(List.copyOf(found.waiting), found.leftAlone))
                .orElseGet(() -> new Listing(List.of(), List.of()));
    }

    /// The first answer counts.
    @Override
    public Reply answer(String id, Answer answer, Caller caller, String by) {
        return inFolder(false, folder -> answer(folder, id, answer, caller, by)).orElseGet(Reply.Unknown::new);
    }

    private Reply answer(PendingFolder folder, String id, Answer answer, Caller caller, String by) throws IOException {
        List<StoredQuestion> found = id.length() < SHORTEST_ID
                ? List.of()
                : list(folder).waiting().stream()
                        .filter(one -> one.id().startsWith(id))
                        .toList();
        if (found.size() != 1) {
            return new Reply.Unknown();
        }
        StoredQuestion question = found.getFirst();
        if (question.answer().isPresent()) {
            note(caller, question, "answer refused: answered before", answer.word());
            return new Reply.AlreadyAnswered(question);
        }
        Optional<Offer> offer = question.offer(answer);
        if (offer.isEmpty()) {
            note(caller, question, "answer refused: not offered", answer.word());
            return new Reply.NotOffered(question);
        }
        StoredQuestion answered = question.answered(new PendingApproval.GivenAnswer(answer, by));
        folder.write(name(question), Json.bytes(answered.json()));
        note(
                caller,
                answered,
                "answered " + answer.word() + " by " + by,
                offer.get().text());
        if (Offers.span(answer) == Offers.Span.ALWAYS) {
            // Stores it at once: the asking process may be gone, and the answer counts for others, too.
            List<Grant> grants = question.possible().granted(answer);
            stored.add(grants, question.subject(), by, clock.instant());
        }
        return new Reply.Accepted(answered, offer.get());
    }

    /// Stores a question until somebody answers it. The same call asks the same question again.
    ///
    /// @return the question; nothing if too many wait, or if it cannot be stored
    Optional<StoredQuestion> ask(Question question, String binding, Offers offers, Duration time) {
        try {
            return inFolder(true, folder -> ask(folder, question, binding, offers, time))
                    .flatMap(kept -> kept);
        } catch (UncheckedIOException e) {
            LOG.warn("A question cannot be kept for a later answer: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<StoredQuestion> ask(
            PendingFolder folder, Question question, String binding, Offers offers, Duration time) throws IOException {
        List<StoredQuestion> waiting = list(folder).waiting();
        Optional<StoredQuestion> same = waiting.stream()
                .filter(one -> one.binding().equals(binding)
                        && one.answer().isEmpty()
                        && one.offers().equals(offers.all()))
                .findFirst();
        if (same.isPresent()) {
            return same;
        }
        String session = question.call().caller().session();
        long mine =
                waiting.stream().filter(one -> one.session().equals(session)).count();
        if (mine >= MOST_OF_A_SESSION || waiting.size() >= MOST) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        StoredQuestion fresh =
                StoredQuestion.of(question, RandomBytes.hex(ID_BYTES), binding, offers, now, now.plus(time));
        folder.write(name(fresh), Json.bytes(fresh.json()));
        return Optional.of(fresh);
    }

    /// Takes the answer to a call's question, if there is one. It counts once, and only if the offers
    /// still have the same words.
    Optional<StoredQuestion> take(String binding, Offers offers) {
        try {
            return inFolder(false, folder -> take(folder, binding, offers)).flatMap(taken -> taken);
        } catch (UncheckedIOException e) {
            LOG.warn("Later answers do not count: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<StoredQuestion> take(PendingFolder folder, String binding, Offers offers) throws IOException {
        for (StoredQuestion one : list(folder).waiting()) {
            if (one.binding().equals(binding) && one.answer().isPresent() && folder.delete(name(one))) {
                Optional<Offer> given = one.answer().flatMap(answer -> one.offer(answer.answer()));
                if (given.filter(offers::has).isPresent()) {
                    return Optional.of(one);
                }
                note(caller(one), one, "answer dropped: something else would be allowed now", "");
            }
        }
        return Optional.empty();
    }

    /// Reads all files. Removes expired questions. Leaves and names files that are no questions.
    private QuestionList list(PendingFolder folder) throws IOException {
        List<StoredQuestion> waiting = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (String name : folder.names()) {
            try {
                StoredQuestion one = parse(folder, name);
                if (one.until().isAfter(clock.instant())) {
                    waiting.add(one);
                } else if (folder.delete(name)) {
                    String how = one.answer().isPresent() ? "expired: answered and not used" : "expired: not answered";
                    note(caller(one), one, how, "");
                }
            } catch (IOException e) {
                left.add(String.valueOf(e.getMessage()));
            } catch (IllegalArgumentException e) {
                left.add(folder.path().resolve(name) + " is left alone: " + e.getMessage() + ".");
            }
        }
        waiting.sort(Comparator.comparing(StoredQuestion::asked));
        return new QuestionList(waiting, left);
    }

    private static StoredQuestion parse(PendingFolder folder, String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("it is no question of ours");
        }
        StoredQuestion one = StoredQuestion.of(Json.object(folder.read(name)));
        if (!name(one).equals(name)) {
            throw new IllegalArgumentException("it names another question");
        }
        return one;
    }

    private static String name(StoredQuestion question) {
        return question.id() + ".json";
    }

    private static Caller caller(StoredQuestion question) {
        return new Caller(question.door(), question.session());
    }

    private void note(Caller caller, StoredQuestion question, String what, String more) {
        ToolCall step = ToolCall.of(
                caller,
                "approvals",
                Map.of("id", question.id(), "about", question.session(), "answer", more, "keys", question.keys()));
        audit.on(new CallEvent.Ended(
                step,
                new ToolResult.Completed(Map.of()),
                Duration.ZERO,
                what + " (" + question.id() + ")",
                Optional.empty(),
                clock.instant()));
    }

    @FunctionalInterface
    private interface Work<T> {
        T in(PendingFolder folder) throws IOException;
    }

    private <T> Optional<T> inFolder(boolean make, Work<T> work) {
        try {
            Optional<PendingFolder> opened = PendingFolder.open(folders, make);
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            try (PendingFolder folder = opened.get()) {
                return Optional.of(work.in(folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
        }
    }
}
