package dev.talaria.engine.job.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.job.relay.FrameHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Exchanges that come up in another order than they were started in: real ones, in a real folder.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangeTurnTest {
    private static final String LOADER = "import sys;i=sys.stdin.buffer;exec(i.read(int(i.read(8))))";

    @TempDir
    private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("rpc"));
        Files.createDirectory(folder.resolve("turns"));
    }

    private Process start(int turn) throws IOException {
        Process process = new ProcessBuilder("/usr/bin/python3", "-I", "-S", "-c", LOADER)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Object> order = Map.of(
                "step",
                "exchange",
                "mark",
                "mark",
                "folder",
                folder.toString(),
                "turn",
                turn,
                "wait",
                60,
                "look",
                0.02,
                "max",
                1000,
                "answers",
                List.of());
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(ExchangeOrders.input(order, List.of()));
        }
        return process;
    }

    /// Waits until it is up: it says so when it has written its answers.
    private static void awaitUp(InputStream stdout) throws IOException {
        String mark = "\nmark\n";
        assertThat(new String(stdout.readNBytes(mark.length()), StandardCharsets.ISO_8859_1))
                .isEqualTo(mark);
        ByteBuffer header = ByteBuffer.wrap(stdout.readNBytes(FrameHeader.BYTES));
        assertThat(FrameHeader.at(header, 0).kind()).isEqualTo((byte) 'd');
    }

    /// A request appears whole, as the stub lets it: the exchange looks often enough to see a half-written one.
    private void request(String text) throws IOException {
        Path written = Files.writeString(folder.resolve("written"), text);
        Files.move(written, folder.resolve("rpc/req_000001"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String rest(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void oneThatComesLateLeavesToItsSuccessor() throws Exception {
        Process successor = start(3);
        awaitUp(successor.getInputStream());

        assertThat(rest(start(2))).endsWith("superseded");
        assertThat(successor.isAlive()).isTrue();

        request("{}");
        assertThat(rest(successor)).contains("{}").endsWith("requests");
    }

    @Test
    void aSuccessorEndsTheOneThatWaits() throws Exception {
        Process first = start(1);
        awaitUp(first.getInputStream());
        Process second = start(2);

        assertThat(rest(first)).endsWith("superseded");
        request("{}");
        assertThat(rest(second)).endsWith("requests");
    }
}
