package dev.talaria.engine.toolcalls;

import dev.talaria.engine.json.Json;
import dev.talaria.engine.toolcalls.ConnectionAcceptor.Peer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One script's connection: splits its bytes into lines and answers each. Requests with an id are
/// served at the same time and answered in any order. Requests without an id (from Hermes' own
/// stub) are served one after the other.
final class ScriptConnection implements ConnectionAcceptor.Receiver {
    private static final Pattern LEADING_ID = Pattern.compile("^\\s*\\{\\s*\"id\"\\s*:\\s*(\\d{1,18})\\s*[,}]");
    private static final int FIRST_BUFFER = 4096;
    private static final int MOST_IN_FLIGHT = 4096;
    private static final long MOST_BYTES_IN_FLIGHT = 256L << 20;
    private static final int ID_WINDOW = 64;

    /// The form of answers to a request without an id: they come in the order of the requests.
    private static final UnaryOperator<Map<String, Object>> PLAIN = UnaryOperator.identity();

    private final ToolCallServer server;
    private final Peer peer;
    private final Function<Map<String, Object>, Optional<RunCalls>> runs;
    private final Queue<Map<String, Object>> inOrder = new ArrayDeque<>(); // guarded by itself
    private boolean serving; // guarded by inOrder
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong bytesInFlight = new AtomicLong();
    private volatile boolean admitted; // this and below: written by the thread that answers the first request
    private volatile boolean refused;
    private byte[] line = new byte[FIRST_BUFFER]; // this and below: used only by the reader's thread
    private int length;
    private boolean skipping;

    /// @param runs finds the run that a request belongs to
    ScriptConnection(ToolCallServer server, Peer peer, Function<Map<String, Object>, Optional<RunCalls>> runs) {
        this.server = server;
        this.peer = peer;
        this.runs = runs;
    }

    @Override
    public void received(ByteBuffer data) {
        receive(data).ifPresent(work -> Thread.ofVirtual().name("tool-call").start(work));
    }

    @Override
    public boolean received(ByteBuffer data, Runnable next) {
        Optional<Runnable> quick = receive(data);
        return quick.isEmpty() || server.handOff().doOrHandOver(quick.get(), next);
    }

    /// Serves the received requests, except for the last one: if it is likely to be quick, it is
    /// returned.
    private Optional<Runnable> receive(ByteBuffer data) {
        Optional<Runnable> last = Optional.empty();
        while (data.hasRemaining()) {
            int end = lineEnd(data);
            int take = (end < 0 ? data.limit() : end) - data.position();
            keep(data, take);
            if (end >= 0) {
                data.get();
                last.ifPresent(work -> Thread.ofVirtual().name("tool-call").start(work));
                last = finishLine();
            }
        }
        return last;
    }

    private static int lineEnd(ByteBuffer data) {
        for (int at = data.position(); at < data.limit(); at++) {
            if (data.get(at) == '\n') {
                return at;
            }
        }
        return -1;
    }

    private void keep(ByteBuffer data, int count) {
        skipping |= length + count > server.maxLine();
        int kept = skipping ? Math.max(0, Math.min(count, ID_WINDOW - length)) : count; // an id is at the beginning
        if (length + kept > line.length) {
            line = Arrays.copyOf(line, Math.max(length + kept, Math.min(server.maxLine(), line.length * 2)));
        }
        data.get(line, length, kept);
        data.position(data.position() + count - kept);
        length += kept;
    }

    private Optional<Runnable> finishLine() {
        Optional<Runnable> work = Optional.empty();
        if (skipping) {
            String start = new String(line, 0, Math.min(length, ID_WINDOW), StandardCharsets.UTF_8);
            Matcher id = LEADING_ID.matcher(start);
            refuse(
                    id.find() ? numbered(Long.valueOf(id.group(1))) : PLAIN,
                    "Invalid RPC request: the line is longer than " + server.maxLine()
                            + " bytes. Write large data to a file and pass its path.");
        } else if (!blank()) {
            work = parse();
        }
        length = 0;
        skipping = false;
        if (line.length > 1 << 20) {
            line = new byte[FIRST_BUFFER];
        }
        return work;
    }

    private boolean blank() {
        for (int at = 0; at < length; at++) {
            if (line[at] != ' ' && line[at] != '\t' && line[at] != '\r') {
                return false;
            }
        }
        return true;
    }

    private Optional<Runnable> parse() {
        Map<String, Object> request;
        try {
            request = Json.object(line, 0, length);
        } catch (IllegalArgumentException e) {
            refuse(PLAIN, "Invalid RPC request: " + e.getMessage());
            return Optional.empty();
        }
        if (request.containsKey("id")) {
            Object id = request.get("id");
            int size = length;
            if (inFlight.incrementAndGet() > MOST_IN_FLIGHT || bytesInFlight.addAndGet(size) > MOST_BYTES_IN_FLIGHT) {
                peer.close(); // it sends and never reads: nothing else would stop it from filling our memory
                return Optional.empty();
            }
            Runnable work = () -> {
                try {
                    answer(id == null ? PLAIN : numbered(id), request);
                } finally {
                    inFlight.decrementAndGet();
                    bytesInFlight.addAndGet(-size);
                }
            };
            if (server.quick(request.get("tool"))) {
                return Optional.of(work);
            }
            Thread.ofVirtual().name("tool-call").start(work);
        } else {
            enqueue(request);
        }
        return Optional.empty();
    }

    private void enqueue(Map<String, Object> request) {
        synchronized (inOrder) {
            inOrder.add(request);
            if (inOrder.size() > MOST_IN_FLIGHT) {
                inOrder.clear();
                peer.close();
                return;
            }
            if (serving) {
                return;
            }
            serving = true;
        }
        Thread.ofVirtual().name("tool-calls-in-order").start(this::serveInOrder);
    }

    private void serveInOrder() {
        while (true) {
            Map<String, Object> request;
            synchronized (inOrder) {
                request = inOrder.poll();
                if (request == null) {
                    serving = false;
                    return;
                }
            }
            answer(PLAIN, request);
        }
    }

    /// Returns the form of answers to a request that has an id.
    private static UnaryOperator<Map<String, Object>> numbered(Object id) {
        return value -> {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("id", id);
            answer.put("result", value);
            return answer;
        };
    }

    private void answer(UnaryOperator<Map<String, Object>> form, Map<String, Object> request) {
        send(form.apply(server.answer(request, runs, this::admits)));
        if (refused) {
            peer.close();
        }
    }

    /// Asks once whether the session may have this connection, when the first request has proved the
    /// session.
    private boolean admits(String session) {
        if (!admitted && !refused) {
            if (peer.claimed(session)) {
                admitted = true;
            } else {
                refused = true;
            }
        }
        return admitted;
    }

    private void refuse(UnaryOperator<Map<String, Object>> form, String message) {
        send(form.apply(Map.of("error", message)));
    }

    private void send(Map<String, Object> answer) {
        peer.send(ByteBuffer.wrap(Json.line(answer)));
    }

    @Override
    public void closed() {
        // Running calls go on: their effects happen, even if nobody waits for the answers.
    }
}
