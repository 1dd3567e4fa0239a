package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests the shown part of a script's output: capped to the byte, cleaned, masked, and complete in a
/// spill file.
interface OutputRuns extends RunSubject {
    String NOTICE_START = "\n\n... [OUTPUT TRUNCATED - ";
    String NOTICE_END = " total] ...\n\n";

    @Test
    default void theCapIsExact() {
        RunResult whole = runs().run("print('x' * 49_999)");
        RunResult cut = runs().run("print('x' * 50_000)");

        assertThat(whole.succeeded()).hasSize(50_000);
        assertThat(whole.value("stdout_truncated")).isEqualTo(false);
        assertThat(whole.number("stdout_bytes_captured")).isEqualTo(50_000);
        assertThat(cut.value("stdout_truncated")).isEqualTo(true);
        assertThat(cut.number("stdout_bytes_total")).isEqualTo(50_001);
    }

    @Test
    default void aMegabyteKeepsItsBeginningAndItsEndAndTheCountsAreExact() {
        String printed =
                IntStream.range(0, 125_000).mapToObj("%07d\n"::formatted).collect(Collectors.joining());

        RunResult ran = runs().run("for i in range(125_000): print('%07d' % i)");

        String output = ran.succeeded();
        int headEnd = output.indexOf(NOTICE_START);
        int tailStart = output.indexOf(NOTICE_END) + NOTICE_END.length();
        String head = output.substring(0, headEnd);
        String tail = output.substring(tailStart);
        assertThat(printed).startsWith(head).endsWith(tail);
        assertThat(head).hasSize(20_000);
        assertThat(tail.length()).isBetween(29_000, 30_000);
        long captured = head.length() + (long) tail.length();
        assertThat(ran.number("stdout_bytes_total")).isEqualTo(1_000_000);
        assertThat(ran.number("stdout_bytes_captured")).isEqualTo(captured);
        assertThat(ran.number("stdout_bytes_omitted")).isEqualTo(1_000_000 - captured);
        assertThat(output.substring(headEnd, tailStart))
                .contains("%,d bytes omitted out of 1,000,000 total".formatted(1_000_000 - captured));
        assertThat(ran.text("warning")).contains("did run").contains("read_file");
    }

    @Test
    default void theWholeOutputIsInASpillFileThatReadFileServes() throws Exception {
        Caller caller = Runs.freshSession();
        RunResult ran = new RunResult(
                runs().engine().call(Runs.call(caller, "for i in range(125_000): print('%07d' % i)", Map.of())));

        Path spill = Path.of(ran.text("stdout_spill_path"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(spill)))
                .isEqualTo("rw-------");
        assertThat(Files.size(spill)).isEqualTo(1_000_000);
        assertThat(Files.readString(spill)).startsWith("0000000\n0000001\n").endsWith("0124999\n");
        Map<String, Object> page = Map.of("path", spill.toString(), "offset", 60_001, "limit", 2);
        RunResult read = new RunResult(runs().engine().call(ToolCall.of(caller, "read_file", page)));
        assertThat(read.text("content")).contains("0060000").contains("0060001").doesNotContain("0060002");
        String code = "from hermes_tools import read_file; print(read_file(%s, offset=60001, limit=1)['content'])"
                .formatted(Python.text(spill.toString()));
        assertThat(new RunResult(runs().engine().call(Runs.call(caller, code, Map.of()))).succeeded())
                .contains("0060000");
        RunResult head = new RunResult(
                runs().engine().call(ToolCall.of(caller, "terminal", Map.of("command", "head -n 2 " + spill))));
        if (ran.text("warning").contains("Commands and scripts can read the file")) {
            assertThat(head.text("output")).isEqualTo("0000000\n0000001");
        } else {
            assertThat(ran.text("warning")).contains("Commands and scripts cannot see the file");
            assertThat(head.number("exit_code")).isNotZero();
        }
        boolean visible = runs().run("import os; print(os.path.exists(%s))".formatted(Python.text(spill.toString())))
                .succeeded()
                .equals("True\n");
        if (!visible || has(Behaviour.SHARES_HOST)) { // sessions may share a sandbox that shows its output
            RunResult other = new RunResult(runs().engine().call(ToolCall.of(Runs.freshSession(), "read_file", page)));
            assertThat(other.value()).doesNotContainKey("content");
        }
    }

    @Test
    default void aSpillThatIsOneLongLineCanBePaged() {
        RunResult ran = runs().run("print('\"'.join('%06d' % i for i in range(40000)))");

        String path = ran.text("stdout_spill_path");
        StringBuilder whole = new StringBuilder();
        int offset = 1;
        while (offset > 0) {
            RunResult page = runs().call("read_file", Map.of("path", path, "offset", offset));
            whole.append(page.text("content").replace("\n", ""));
            offset = page.find("next_offset")
                    .map(next -> ((Number) next).intValue())
                    .orElse(0);
        }
        assertThat(whole).hasSize(279_999).startsWith("000000\"000001").endsWith("\"039999");
    }

    @Test
    default void theSpillFileHoldsTheRawBytes() throws Exception {
        RunResult ran = runs().run("import sys; sys.stdout.buffer.write(bytes(range(256)) * 1000)");

        byte[] spilled = Files.readAllBytes(Path.of(ran.text("stdout_spill_path")));
        assertThat(spilled).hasSize(256_000);
        for (int i = 0; i < spilled.length; i++) {
            assertThat(spilled[i]).isEqualTo((byte) i);
        }
        assertThat(ran.number("stdout_bytes_total")).isEqualTo(256_000);
    }

    @Test
    default void aFloodOnStdoutNeverPushesOutTheErrorMessage() {
        RunResult ran = runs().run("""
                import sys
                print("the one useful line", file=sys.stderr)
                print("x" * 1_000_000)
                sys.exit(3)
                """);

        assertThat(ran.failed()).contains("the one useful line");
        assertThat(ran.output()).endsWith("--- stderr ---\nthe one useful line\n");
    }

    @Test
    default void ofALongStderrTheEndIsKeptOnFailure() {
        RunResult ran = runs().run("""
                import sys
                for i in range(20_000): print("noise", i, file=sys.stderr)
                raise ValueError("the end")
                """);

        assertThat(ran.failed())
                .contains("ValueError: the end")
                .contains("TRUNCATED")
                .doesNotContain("noise 1\n");
        String section = ran.output().substring(ran.output().indexOf("--- stderr ---"));
        assertThat(section.getBytes(StandardCharsets.UTF_8).length).isBetween(9_000, 10_300);
        assertThat(ran.limit("stderr_bytes").get("allowed")).isEqualTo(10_000);
    }

    @Test
    default void secretsAreMaskedAndNoLineIsLost() {
        String token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6";

        RunResult ran = runs().run("""
                token = "ghp_" + "%s"
                print("before\\n" + token + "\\nOPENAI_API_KEY=sk-" + "abcdefghij0123456789ABCDEFGHIJ" + "\\nafter")
                """.formatted(token.substring(4)));

        assertThat(ran.succeeded()).doesNotContain(token).doesNotContain("abcdefghij0123456789ABCDEFGHIJ");
        assertThat(ran.output().lines()).hasSize(4).startsWith("before").endsWith("after");
    }

    @Test
    default void aSecretOnTheEdgeOfTheCutIsNeverHalfShown() {
        RunResult ran = runs().run("""
                token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
                print("x" * 19_980, end=" ")
                print(token, end=" ")
                print("y" * 100_000, token, "z" * 29_975)
                """);

        assertThat(ran.succeeded()).doesNotContain("aB3dE6gH9jK2").doesNotContain("bC0eF3hJ6");
    }

    @Test
    default void whatIsMaskedIsWhatIsShownNotWhatIsRun() {
        RunResult ran = runs().run("""
                import hashlib
                from hermes_tools import read_file, write_file
                token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
                write_file("%1$s/secret.txt", token + "\\n")
                print(open("%1$s/secret.txt").read() == token + "\\n", len(token))
                """.formatted(runs().writable()));

        assertThat(ran.succeeded()).isEqualTo("True 40\n");
    }

    @Test
    default void coloursAndRedrawsAreShownAsATerminalWould() {
        RunResult ran = runs().run("""
                import sys
                print("\\x1b[1;31mred\\x1b[0m and \\x1b]0;title\\x07plain")
                sys.stdout.write("10%\\r20%\\r100%\\n")
                sys.stdout.write("line\\r\\n")
                print("\\x9b31mc1\\x1bPq#0\\x1b\\\\dcs")
                """);

        assertThat(ran.succeeded()).isEqualTo("red and plain\n100%\nline\nc1dcs\n");
    }

    @Test
    default void linesArriveWhileTheScriptRuns() throws Exception {
        CountDownLatch seen = new CountDownLatch(2);
        Cancellation cancellation = new Cancellation();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                var _ = runs().engine().listen(event -> {
                    if (event instanceof CallEvent.Output output
                            && output.text().contains("live and red")) {
                        seen.countDown();
                    }
                })) {
            Future<RunResult> running = executor.submit(() -> runs().run("""
                    import sys
                    from hermes_tools import hang
                    print("live and \\x1b[31mred\\x1b[0m")
                    sys.stdout.flush()
                    print("live and red", file=sys.stderr, flush=True)
                    hang("live")
                    """, Map.of(), cancellation));

            assertThat(seen.await(100, TimeUnit.SECONDS)).isTrue();
            assertThat(running.isDone()).isFalse();
            cancellation.cancel("seen");
            assertThat(running.get(100, TimeUnit.SECONDS).status()).isEqualTo("interrupted");
        }
    }

    @Test
    default void twoHundredMegabytesAreCountedAndCappedInMemory() {
        RunResult ran = runs().run("""
                import os
                print("first marker", flush=True)
                chunk = b"0123456789abcde\\n" * 65536
                for _ in range(200):
                    view = memoryview(chunk)
                    while view:
                        view = view[os.write(1, view):]
                print("last marker")
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded())
                .startsWith("first marker\n")
                .endsWith("last marker\n")
                .hasSizeLessThan(51_000);
        assertThat(ran.number("stdout_bytes_total")).isEqualTo(200L * (1 << 20) + 25);
        assertThat(ran.text("warning")).contains("read_file");
    }
}
