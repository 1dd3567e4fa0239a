package dev.talaria.engine.job.relay;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.ProcessMark;
import dev.talaria.engine.job.ShortCommand;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import dev.talaria.engine.util.RandomBytes;
import dev.talaria.engine.util.Resources;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Starts a relay in a sandbox: sends the program over stdin, waits for a line that we chose, reads
/// the relay's description of itself.
public final class RelayStart {
    /// Reads the program from stdin: nothing is installed, and argv contains nothing but this line.
    private static final String LOADER = "import os;b=b\"\";exec(\"while len(b)<8 or len(b)<8+int(b[:8]): "
            + "b+=os.read(0,(8 if len(b)<8 else 8+int(b[:8]))-len(b)) or os._exit(3)\");"
            + "e=16+int(b[8:16]);EARLY=b[16:e];SOURCE=b[e:];"
            + "exec(\"if SOURCE[:1]==bytes(1):\\n import marshal\\n b,CHILD_CODE,SOURCE=marshal.loads(SOURCE[1:])\");"
            + "exec(b if type(b)!=bytes else compile(SOURCE,\"relay.py\",\"exec\"))";

    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(90); // then the relay takes the host for dead
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final int MAX_NOISE = 1 << 20;
    private static final int[] OLDEST = {3, 8};

    private final Sandbox sandbox;
    private final RelayOptions options;
    private final CompiledRelay compiled;
    private final String magic = RandomBytes.hex(16);
    private final String mark = ProcessMark.fresh();
    private final Complaints complaints = new Complaints();

    private RelayStart(Sandbox sandbox, RelayOptions options, CompiledRelay compiled) {
        this.sandbox = sandbox;
        this.options = options;
        this.compiled = compiled;
    }

    /// Returns a relay that is ready for its first job.
    ///
    /// @throws SandboxException with `PYTHON_MISSING` if there is no usable Python,
    ///     `BACKEND_UNAVAILABLE` otherwise
    public static Relay open(Sandbox sandbox, RelayOptions options, ConnectionAcceptor tools) {
        CompiledRelay compiled = new CompiledRelay(options);
        try {
            Relay relay = new RelayStart(sandbox, options, compiled).start(tools);
            compiled.keep(relay);
            return relay;
        } catch (SandboxException e) {
            if (!compiled.forget()) {
                throw e;
            }
            return new RelayStart(sandbox, options, compiled).start(tools); // the stored program may be broken
        }
    }

    private Relay start(ConnectionAcceptor tools) {
        List<String> argv = new ArrayList<>(options.python());
        // Without site: .pth files can cost more than the rest of the start.
        argv.addAll(List.of("-I", "-S", "-c", LOADER, ProcessMark.VARIABLE + "=" + mark));
        Optional<Path> socket = options.socketFolder().map(folder -> folder.resolve("r" + magic.substring(0, 16)));
        try (@Nullable ServerSocketChannel server = socket.isPresent() ? listen(socket.get()) : null) {
            RunningProcess process = sandbox.start(Command.of(argv));
            complaints.collect(process.stderr());
            AtomicBoolean ready = new AtomicBoolean();
            watchdog(process, server, ready);
            try {
                sendProgram(
                        process.stdin(),
                        socket.map(path -> Map.of("connect", path.toString())).orElse(Map.of()));
                RelayLink link = server == null
                        ? RelayLink.of(process.stdout(), process.stdin())
                        : RelayLink.of(accept(server, process));
                Relay relay = shakeHands(process, link, tools);
                ready.set(true);
                return relay;
            } catch (IOException | RuntimeException e) {
                ready.set(true);
                throw explain(process, e);
            }
        } catch (IOException e) {
            throw new SandboxException(
                    ErrorCode.BACKEND_UNAVAILABLE, "Cannot make the relay's socket: " + Reason.of(e), e);
        } finally {
            socket.ifPresent(path -> path.toFile().delete());
        }
    }

    private static ServerSocketChannel listen(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    /// Ends the wait for a relay that died or never came up.
    private void watchdog(RunningProcess process, @Nullable ServerSocketChannel server, AtomicBoolean ready) {
        Thread.ofVirtual().name("relay-start").start(() -> {
            try {
                boolean died = process.waitFor(START_LIMIT).isPresent();
                if (!ready.get()) {
                    if (!died) {
                        process.kill();
                    }
                    if (server != null) {
                        Closing.quietly(server);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void sendProgram(OutputStream stdin, Map<String, String> connection) throws IOException {
        byte[] program = compiled.load().orElseGet(RelayStart::program);
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("magic", magic);
        config.put("silence_limit", SILENCE_LIMIT.toMillis() / 1000.0);
        config.put("mark", mark);
        config.put("window", Relay.WINDOW);
        config.putAll(connection);
        byte[] configured = Json.bytes(config);
        byte[] early = early();
        ByteBuffer all = ByteBuffer.allocate(16 + early.length + program.length + FrameHeader.BYTES + configured.length)
                .put(eightDigits(8 + early.length + program.length))
                .put(eightDigits(early.length))
                .put(early)
                .put(program)
                .put(new FrameHeader(configured.length, FrameKind.CONFIG, 0).bytes())
                .put(configured);
        stdin.write(all.array());
        stdin.flush();
    }

    /// Returns the scripts' interpreter and its environment. The relay starts it before it has loaded
    /// itself.
    private byte[] early() {
        StringBuilder text = new StringBuilder();
        options.early().ifPresent(interpreter -> {
            text.append(interpreter.python());
            interpreter
                    .environment()
                    .forEach((name, value) ->
                            text.append('\0').append(name).append('=').append(value));
            text.append('\0').append(ProcessMark.VARIABLE).append('=').append(mark);
        });
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Formats a number without `String.format`, whose locales cost 10 ms at a start.
    private static byte[] eightDigits(int number) {
        return String.valueOf(100_000_000 + number).substring(1).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] program() {
        return Resources.bytes(RelayStart.class, "relay.py");
    }

    /// Returns the half of `relay.py` for zygotes and keepers, for other code that keeps processes. It
    /// only defines functions.
    public static byte[] programOfKeepers() {
        String all = new String(program(), StandardCharsets.UTF_8);
        return all.substring(0, all.indexOf("\n# ==== mux ====")).getBytes(StandardCharsets.UTF_8);
    }

    private static SocketChannel accept(ServerSocketChannel server, RunningProcess process) throws IOException {
        SocketChannel channel = server.accept();
        Closing.quietly(process.stdin());
        return channel;
    }

    private Relay shakeHands(RunningProcess process, RelayLink link, ConnectionAcceptor tools) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_NOISE);
        String line = "\n" + magic + "\n";
        int found = -1;
        while (found < 0) {
            more(link, buffer);
            found = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1).indexOf(line);
        }
        int start = found + line.length();
        while (buffer.position() < start + FrameHeader.BYTES) {
            more(link, buffer);
        }
        int length = FrameHeader.at(buffer, start).length();
        if (length < 0 || length > MAX_NOISE) {
            throw new IOException("its greeting should be " + Integer.toUnsignedLong(length) + " bytes long");
        }
        while (buffer.position() < start + FrameHeader.BYTES + length) {
            more(link, buffer);
        }
        RelayInfo info = RelayInfo.of(Json.object(buffer.array(), start + FrameHeader.BYTES, length));
        int[] version = info.version().stream().mapToInt(Integer::intValue).toArray();
        if (Arrays.compare(version, OLDEST) < 0) {
            throw new SandboxException(
                    ErrorCode.PYTHON_MISSING,
                    "Python " + info.version() + " in sandbox " + sandbox.name()
                            + " is too old. Install Python 3.8 or newer there.");
        }
        ByteBuffer unread = buffer.flip().position(start + FrameHeader.BYTES + length);
        RelayEnd end = new RelayEnd(sandbox, info.pid(), mark);
        return new Relay(sandbox.name(), process, link, unread, info, tools, options.heartbeat(), end);
    }

    private static void more(RelayLink link, ByteBuffer buffer) throws IOException {
        if (!buffer.hasRemaining()) {
            throw new IOException("it printed " + MAX_NOISE + " bytes of something else");
        }
        if (link.read(buffer) < 0) {
            throw new IOException("it ended before it was ready");
        }
    }

    private SandboxException explain(RunningProcess process, Exception e) {
        Optional<Integer> status = Optional.empty();
        try {
            status = process.waitFor(Duration.ofSeconds(1));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        process.close();
        if (e instanceof SandboxException known) {
            return known;
        }
        String said = complaints.text();
        if (status.filter(code -> sandbox.neverReached(code, said)).isPresent()) {
            return SandboxException.passing(
                    ErrorCode.BACKEND_UNAVAILABLE, "Sandbox " + sandbox.name() + " cannot be reached: " + said, e);
        }
        return ShortCommand.withoutPython(sandbox, status.orElse(0), said)
                .map(message -> new SandboxException(ErrorCode.PYTHON_MISSING, message, e))
                .orElseGet(() -> new SandboxException(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The relay could not be started in sandbox " + sandbox.name() + ": " + Reason.of(e) + ". "
                                + said,
                        e));
    }

    /// Collects a relay's stderr; its last lines explain why it did not start.
    private static final class Complaints {
        private static final int KEEP = 4000;
        private final StringBuilder text = new StringBuilder(); // guarded by this

        void collect(InputStream stderr) {
            // platform: a pipe read holds its carrier
            Thread.ofPlatform().daemon().name("relay-stderr").start(() -> {
                byte[] buffer = new byte[4096];
                try (stderr) {
                    int count = stderr.read(buffer);
                    while (count >= 0) {
                        add(new String(buffer, 0, count, StandardCharsets.UTF_8));
                        count = stderr.read(buffer);
                    }
                } catch (IOException e) {
                    // The stream ended with its process.
                }
            });
        }

        private synchronized void add(String part) {
            text.append(part);
            text.delete(0, Math.max(0, text.length() - KEEP));
        }

        synchronized String text() {
            return text.toString().strip();
        }
    }
}
