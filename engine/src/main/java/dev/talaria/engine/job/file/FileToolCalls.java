package dev.talaria.engine.job.file;

import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Passes one run's tool calls from request files to the acceptor: checks each request, and stores
/// answers until they are written.
///
/// Some requests are dropped without an answer: those that cannot be answered (no JSON object, no
/// usable `seq`), those without the run's token, and those whose number still waits for an answer.
final class FileToolCalls implements ConnectionAcceptor.Peer {
    private static final Pattern NUMBERED = Pattern.compile("req_0*([0-9]{1,12})");
    private static final long MAX_SEQ = 999_999_999_999L;

    private final ConnectionAcceptor acceptor;
    private final FileOptions options;
    private final Optional<String> token;
    private final Runnable onAnswer;
    private final Set<Long> unanswered = new HashSet<>(); // guarded by this
    private final Map<Long, byte[]> answers = new LinkedHashMap<>(); // guarded by this: answers not taken yet
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(); // guarded by this: a partly sent line
    private final Object receiving = new Object();
    private ConnectionAcceptor.@Nullable Receiver receiver; // guarded by receiving
    private boolean over; // guarded by receiving

    /// Makes the connection of one run.
    ///
    /// @param script brings the run's token; if it has none, the acceptor decides
    /// @param onAnswer called after answers have come, by any thread
    FileToolCalls(ConnectionAcceptor acceptor, FileOptions options, JobSpec.Script script, Runnable onAnswer) {
        this.acceptor = acceptor;
        this.options = options;
        this.token = Optional.ofNullable(script.environment().get("HERMES_RPC_TOKEN"));
        this.onAnswer = onAnswer;
    }

    /// Takes the content of a request file.
    void request(byte[] content) {
        Map<String, Object> request;
        try {
            request = Json.object(content);
        } catch (IllegalArgumentException e) {
            return;
        }
        Optional<Long> seq = seq(request.get("seq"));
        if (seq.isPresent() && authorized(request) && expect(seq.get())) {
            pass(seq.get(), request);
        }
    }

    private boolean authorized(Map<String, Object> request) {
        Object given = request.get("token");
        if (given == null && options.withoutToken()) {
            return true;
        }
        // In constant time, and as bytes: a token may be any text.
        return token.map(own -> given instanceof String text
                        && MessageDigest.isEqual(
                                text.getBytes(StandardCharsets.UTF_8), own.getBytes(StandardCharsets.UTF_8)))
                .orElse(true);
    }

    /// Takes the name of a request file that is too long.
    void tooLong(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        if (matcher.matches()) {
            long seq = Long.parseLong(matcher.group(1));
            if (expect(seq)) {
                refuse(seq);
            }
        }
    }

    private static Optional<Long> seq(@Nullable Object value) {
        return switch (value) {
            case Integer number when number >= 0 -> Optional.of(number.longValue());
            case Long number when number >= 0 && number <= MAX_SEQ -> Optional.of(number);
            case null, default -> Optional.empty();
        };
    }

    private synchronized boolean expect(long seq) {
        return !answers.containsKey(seq) && unanswered.add(seq);
    }

    private void pass(long seq, Map<String, Object> request) {
        Map<String, Object> passed = new LinkedHashMap<>();
        passed.put("id", seq);
        for (String key : new String[] {"tool", "args", "token"}) {
            if (request.get(key) != null) {
                passed.put(key, request.get(key));
            }
        }
        token.ifPresent(own -> passed.put("token", own));
        byte[] json = Json.bytes(passed);
        if (json.length >= options.maxRequest()) {
            refuse(seq);
            return;
        }
        synchronized (receiving) {
            if (over) {
                return;
            }
            if (receiver == null) {
                receiver = acceptor.connected(this);
            }
            receiver.received(ByteBuffer.allocate(json.length + 1)
                    .put(json)
                    .put((byte) '\n')
                    .flip());
        }
    }

    private void refuse(long seq) {
        answer(
                seq,
                Map.of(
                        "error",
                        "Invalid RPC request: it is longer than " + options.maxRequest()
                                + " bytes. Write large data to a file and pass its path."));
        onAnswer.run();
    }

    @Override
    public void send(ByteBuffer data) {
        synchronized (this) {
            while (data.hasRemaining()) {
                int end = data.position();
                while (end < data.limit() && data.get(end) != '\n') {
                    end++;
                }
                byte[] part = new byte[end - data.position()];
                data.get(part);
                line.writeBytes(part);
                if (data.hasRemaining()) {
                    data.get();
                    answered(line.toByteArray());
                    line.reset();
                }
            }
        }
        onAnswer.run();
    }

    private void answered(byte[] json) {
        Map<String, Object> answer = Json.object(json);
        Optional<Long> seq = seq(answer.get("id"));
        if (seq.isPresent()) {
            Object result = answer.containsKey("result") ? answer.get("result") : answer;
            answer(seq.get(), result);
        }
    }

    private synchronized void answer(long seq, @Nullable Object result) {
        if (unanswered.remove(seq)) {
            answers.put(seq, result == null ? new byte[] {'n', 'u', 'l', 'l'} : Json.bytes(result));
        }
    }

    /// Closes the connection from the acceptor's side: waiting requests get an error, and the next
    /// request opens a new connection.
    @Override
    public void close() {
        synchronized (receiving) {
            receiver = null;
        }
        synchronized (this) {
            line.reset();
            Set.copyOf(unanswered).forEach(seq -> answer(seq, Map.of("error", "Agent process disconnected")));
        }
        onAnswer.run();
    }

    /// Ends the run: nothing is passed on any more.
    void hangUp() {
        synchronized (receiving) {
            over = true;
            if (receiver != null) {
                receiver.closed();
                receiver = null;
            }
        }
    }

    synchronized boolean hasAnswers() {
        return !answers.isEmpty();
    }

    /// Returns whether there is no answer yet, but a running call may bring one at any moment.
    synchronized boolean onlyExpects() {
        return answers.isEmpty() && !unanswered.isEmpty();
    }

    /// Returns the stored answers and forgets them.
    synchronized Map<Long, byte[]> take() {
        Map<Long, byte[]> taken = new LinkedHashMap<>(answers);
        answers.clear();
        return taken;
    }

    /// Stores answers again that could not be written.
    synchronized void giveBack(Map<Long, byte[]> taken) {
        taken.forEach(answers::putIfAbsent);
    }
}
