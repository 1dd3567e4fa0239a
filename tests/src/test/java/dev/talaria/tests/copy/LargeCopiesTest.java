package dev.talaria.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.json.Json;
import dev.talaria.testkit.JavaCommand;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Copies large files. Some copies are interrupted by the death of Talaria.
class LargeCopiesTest extends CopyTests {
    static Stream<RunTarget> thatStay() {
        return Stream.of(RunTargets.localStream(), RunTargets.dockerEntered(), RunTargets.sshUserStream());
    }

    /// An upload is interrupted. Only the part stays, and the next try continues it.
    @ParameterizedTest
    @MethodSource("thatStay")
    void aCopyGoesOnAfterTalariaWasKilled(RunTarget target) throws Exception {
        try (Engine engine = open(target)) {
            String there = there(engine);
            Path file = file("large.bin", 48 << 20);
            Process child = jvm(target, file, there + "/large.bin", 32 << 20, Map.of());
            try (BufferedReader said =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(said.readLine()).isEqualTo("stopped");
            } finally {
                child.destroyForcibly().waitFor();
            }
            assertThat(sh(engine, "ls -A " + there)).matches("\\.talaria-[0-9a-f]+\\.part");
            // The processes of the killed JVM may take time to end.
            String wait = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)";
            sh(engine, "python3 -c '" + wait + "' " + there + "/.talaria-*");

            CopyResult up = up(engine, file, there + "/large.bin");
            CopyResult down = down(engine, up.path(), folder.resolve("back.bin"));

            assertThat(up.resumed()).isGreaterThan(16 << 20);
            assertThat(down.bytes()).isEqualTo(48 << 20);
            assertThat(folder.resolve("back.bin")).hasSameBinaryContentAs(file);
            assertThat(sh(engine, "ls -A " + there)).isEqualTo("large.bin");
            sh(engine, "rm -r " + there);
        }
    }

    @Test
    void memoryDoesNotGrowWithTheFile() throws Exception {
        Path file = folder.resolve("sparse.bin");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(300 << 20);
        }
        Process child = jvm(
                RunTargets.localStream(),
                file,
                folder.resolve("there.bin").toString(),
                Long.MAX_VALUE,
                Map.of("JAVA_TOOL_OPTIONS", "-Xmx64m"));
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("copied " + (600 << 20));
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(Files.size(folder.resolve("back.bin"))).isEqualTo(300 << 20);
    }

    private Process jvm(RunTarget target, Path from, String there, long stop, Map<String, String> environment)
            throws IOException {
        Map<String, Object> setup = new LinkedHashMap<>();
        setup.put("backend", target.backend());
        setup.put("options", Json.text(target.options()));
        setup.put("home", folder.resolve("home").toString());
        setup.put("from", from.toString());
        setup.put("there", there);
        setup.put("back", folder.resolve("back.bin").toString());
        setup.put("stop", stop);
        ProcessBuilder builder = new ProcessBuilder(
                        JavaCommand.of(JavaCommand.classPath(), CopyingJvm.class.getName(), Json.text(setup)))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// The content never repeats, so a doubled or missing block is found. With
    /// `-Dtalaria.copies.megabytes=1024` it copies a gigabyte, which takes most of a minute.
    @Test
    void aLargeFileComesOutOfAContainerByteForByte() throws Exception {
        try (Engine engine = open(RunTargets.dockerEntered())) {
            String there = there(engine);
            String large = there + "/large.bin";
            int megabytes = Integer.getInteger("talaria.copies.megabytes", 200);
            try {
                String sum = String.valueOf(engine.call(
                                        ToolCall.of("execute_code", Map.of("code", """
                                import hashlib, os
                                block, sum = os.urandom((1 << 20) - 8), hashlib.sha1()
                                with open("%s", "wb") as file:
                                    for number in range(%d):
                                        for part in number.to_bytes(8, "big"), block:
                                            file.write(part)
                                            sum.update(part)
                                print(sum.hexdigest())
                                """.formatted(large, megabytes))))
                                .value()
                                .get("output"))
                        .strip();

                CopyResult down = down(engine, large, folder.resolve("large.bin"));

                assertThat(down.bytes()).isEqualTo((long) megabytes << 20);
                assertThat(sha1(folder.resolve("large.bin"))).isEqualTo(sum);
            } finally {
                sh(engine, "rm -r " + there);
                Files.deleteIfExists(folder.resolve("large.bin"));
            }
        }
    }

    private static String sha1(Path file) throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-1");
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
