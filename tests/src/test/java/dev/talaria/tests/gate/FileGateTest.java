package dev.talaria.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Question;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tools must not change certain files, even while a rival thread swaps links.
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileGateTest {
    @TempDir
    private Path temp;

    private Path work;

    @BeforeEach
    void make() throws IOException {
        temp = temp.toRealPath();
        work = Files.createDirectories(temp.resolve("work"));
        Files.createDirectories(work.resolve("innocent"));
        Files.createDirectories(work.resolve("kept"));
        Files.writeString(work.resolve("kept/file"), "precious");
    }

    private Folders folders() {
        return Folders.below(temp.resolve("home"));
    }

    private Engine engine(RunTarget target, UnaryOperator<ApprovalSettings> change, Approver... approvers) {
        target.missing().ifPresent(why -> assumeTrue(false, why));
        var builder = Engine.builder()
                .settings(Settings.defaults(folders())
                        .withBackend(target.backend(), target.options())
                        .withTransport(target.transport())
                        .withApprovals(change.apply(ApprovalSettings.defaults()))
                        .withCwd(work.toString()));
        for (Approver approver : approvers) {
            builder.approver(approver);
        }
        return builder.build();
    }

    private Engine local() {
        return engine(RunTargets.localUds(), settings -> settings.withMode(ApprovalMode.ALLOW));
    }

    private static ToolResult write(Engine engine, Object path) {
        return engine.call(ToolCall.of("write_file", Map.of("path", path.toString(), "content", "evil")));
    }

    private static ToolResult read(Engine engine, Caller caller, Object path) {
        return engine.call(ToolCall.of(caller, "read_file", Map.of("path", path.toString())));
    }

    private static void assertOurs(ToolResult result) {
        assertThat(result)
                .as("%s", result.value())
                .isInstanceOfSatisfying(
                        ToolResult.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.FILE_REFUSED));
        assertThat(String.valueOf(result.value().get("error"))).contains("is Talaria's own");
    }

    // ---- swapped links

    /// Swaps a link between the allowed folder and the protected folder until closed.
    private final class Rival implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread;

        Rival(Path link) throws IOException {
            Files.createSymbolicLink(link, work.resolve("innocent"));
            // platform: it must run beside the virtual threads, not in turns with them
            thread = Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    swap(link, "kept");
                    swap(link, "innocent");
                }
            });
        }

        private void swap(Path link, String to) {
            try {
                Path next = Files.createSymbolicLink(work.resolve("next"), work.resolve(to));
                Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            over.set(true);
            while (thread.isAlive()) {
                Thread.onSpinWait();
            }
        }
    }

    static Stream<Arguments> races() {
        return Stream.of(
                Arguments.of(RunTargets.localUds(), "file", 400),
                Arguments.of(RunTargets.localUds(), "deep/%d/file", 200), // a shell creates the folders
                Arguments.of(RunTargets.bubblewrapStream(), "file", 400),
                Arguments.of(RunTargets.bubblewrapStream(), "deep/%d/file", 400),
                Arguments.of(RunTargets.sshStream(), "file", 400));
    }

    @ParameterizedTest
    @MethodSource("races")
    void aRivalThatSwapsALinkNeverHasTheKeptFolderChanged(RunTarget target, String name, int rounds) throws Exception {
        int written = 0;
        int denied = 0;
        try (Engine engine = engine(
                target, settings -> settings.withMode(ApprovalMode.ALLOW).withDeny(List.of("^write_file .*/kept/")))) {
            try (Rival _ = new Rival(work.resolve("swapped"))) {
                for (int round = 0; round < rounds; round++) {
                    switch (write(engine, work + "/swapped/" + name.formatted(round))) {
                        case ToolResult.Completed done -> {
                            assertThat(done.value().get("path")).asString().startsWith(work + "/innocent/");
                            written++;
                        }
                        case ToolResult.Denied _ -> denied++;
                        case ToolResult other ->
                            assertThat(other).as("%s", other.value()).isInstanceOf(ToolResult.Failed.class);
                    }
                }
            }
        }
        assertThat(work.resolve("kept")).isDirectoryContaining(path -> path.endsWith("file"));
        assertThat(names(work.resolve("kept"))).containsExactly("file");
        assertThat(work.resolve("kept/file")).hasContent("precious");
        assertThat(written).as("rounds in which it led to the innocent folder").isPositive();
        assertThat(denied).as("rounds in which it led to the kept folder").isPositive();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    static Stream<RunTarget> targets() {
        return Stream.of(RunTargets.localUds(), RunTargets.bubblewrapStream(), RunTargets.sshStream());
    }

    /// The tool changes what the person has approved, even if the folders are swapped before the answer.
    @ParameterizedTest
    @MethodSource("targets")
    void whatIsSwappedWhileAPersonIsAskedIsRefused(RunTarget target) throws Exception {
        Files.createDirectories(work.resolve(".git/hooks"));
        Approver swapping = new Approver() {
            @Override
            public Optional<Answer> ask(Question question) {
                assertThat(question.subject()).isEqualTo("write_file " + work + "/.git/hooks/file");
                move(".git/hooks", ".git/old");
                move("kept", ".git/hooks");
                return Optional.of(Answer.ONCE);
            }

            @Override
            public String name() {
                return "swapping";
            }
        };
        try (Engine engine = engine(target, settings -> settings, swapping)) {
            ToolResult result = write(engine, work + "/.git/hooks/file");

            assertThat(String.valueOf(result.value().get("error")))
                    .contains("leads elsewhere than when it was checked");
        }
        assertThat(work.resolve(".git/hooks/file")).hasContent("precious");
        assertThat(names(work.resolve(".git/old"))).isEmpty();
    }

    private void move(String from, String to) {
        try {
            Files.move(work.resolve(from), work.resolve(to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- answers

    private Approver answering(Answer answer, List<Question> asked) {
        return new Approver() {
            @Override
            public Optional<Answer> ask(Question question) {
                asked.add(question);
                return Optional.of(answer);
            }

            @Override
            public String name() {
                return "test";
            }
        };
    }

    @Test
    void thePersonIsAskedAboutTheRealPathAndTheAnswerCounts() throws IOException {
        Files.createDirectories(work.resolve(".git/hooks"));
        Files.createSymbolicLink(work.resolve("link"), work.resolve(".git/hooks/made"));
        List<Question> asked = new ArrayList<>();
        UnaryOperator<ApprovalSettings> manual = UnaryOperator.identity();
        try (Engine engine = engine(RunTargets.localUds(), manual, answering(Answer.DENY, asked))) {
            assertThat(write(engine, work.resolve("link"))).isInstanceOf(ToolResult.Denied.class);
        }
        assertThat(work.resolve(".git/hooks/made")).doesNotExist();
        try (Engine engine = engine(RunTargets.localUds(), manual, answering(Answer.ONCE, asked))) {
            assertThat(write(engine, work.resolve("link")).value()).containsEntry("status", "ok");
        }
        assertThat(work.resolve(".git/hooks/made")).hasContent("evil");
        assertThat(asked).extracting(Question::subject).containsOnly("write_file " + work + "/.git/hooks/made");
        assertThat(asked).hasSize(2);
    }

    @Test
    void anAllowRuleIsAboutTheRealPath() throws IOException {
        Files.createDirectories(work.resolve(".git/hooks"));
        Files.createSymbolicLink(work.resolve("link"), work.resolve(".git/hooks/other"));
        try (Engine engine = engine(
                RunTargets.localUds(),
                settings -> settings.withMode(ApprovalMode.DENY)
                        .withAllow(List.of("write_file .*/link", "write_file .*/hooks/fine")))) {
            assertThat(write(engine, work.resolve("link"))).isInstanceOf(ToolResult.Denied.class);
            assertThat(write(engine, work.resolve(".git/hooks/fine")).value()).containsEntry("status", "ok");
        }
    }

    /// A link below the home folder would work as well. Nobody uses this file.
    @ParameterizedTest
    @MethodSource("targets")
    void theHomeFolderIsTheOneOfWhoeverWrites(RunTarget target) {
        try (Engine engine = engine(target, settings -> settings.withMode(ApprovalMode.DENY))) {
            ToolResult result = write(engine, "~/.gnupg/talaria-test-" + System.nanoTime());
            if (target.toString().contains("bubblewrap")) { // its own home: nothing is lost in it
                assertThat(result).as("%s", result.value()).isInstanceOf(ToolResult.Completed.class);
                return;
            }

            assertThat(result).as("%s", result.value()).isInstanceOf(ToolResult.Denied.class);
            assertThat(String.valueOf(result.value().get("error"))).contains("keys or credentials");
        }
    }

    // ---- Talaria's own folders

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config/talaria.yaml",
                "config/new/deep",
                "state/approvals/approvals.json",
                "state/audit/x",
                "state/spills/spill-0.log",
                "state/anything",
                "cache/pythons/x/bin/python3",
                "cache/relay.bin"
            })
    void noToolWritesIntoTalariasFolders(String path) throws IOException {
        Path file = temp.resolve("home").resolve(path);
        Files.createDirectories(folders().state());
        Files.createSymbolicLink(work.resolve("link"), file);
        Files.createSymbolicLink(work.resolve("up"), temp.resolve("home"));
        try (Engine engine = local()) {
            assertOurs(write(engine, file));
            assertOurs(write(engine, work.resolve("link")));
            assertOurs(write(engine, work.resolve("up").resolve(path)));
            assertOurs(write(engine, "/proc/self/root" + file));
            assertOurs(write(engine, work + "/innocent/../../home/" + path));
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void whatASessionPrintedIsForThatSessionOnly() throws IOException {
        try (Engine engine = local()) {
            Caller mine = new Caller("java", "mine");
            Caller other = new Caller("java", "other");
            String spill = String.valueOf(engine.call(ToolCall.of(
                            mine, "execute_code", Map.of("code", "for i in range(125_000): print('%07d' % i)")))
                    .value()
                    .get("stdout_spill_path"));
            Files.createSymbolicLink(work.resolve("link"), Path.of(spill));
            Files.createSymbolicLink(work.resolve("up"), folders().spills());

            List<String> ways = List.of(
                    spill,
                    work + "/link",
                    work + "/up/" + Path.of(spill).getFileName(),
                    "/proc/self/root" + spill,
                    "/proc/self/cwd/" + "../".repeat(20) + spill);
            for (String way : ways) {
                assertOurs(read(engine, other, way));
                assertThat(read(engine, mine, way).value().get("content"))
                        .as(way)
                        .asString()
                        .startsWith("0000000\n");
                assertOurs(write(engine, way));
            }
            ToolResult nested = engine.call(ToolCall.of(
                    other,
                    "execute_code",
                    Map.of("code", "from hermes_tools import read_file; print(read_file('" + spill + "'))")));
            assertThat(nested.value().get("output"))
                    .asString()
                    .contains("Talaria's own")
                    .doesNotContain("0000001");
        }
    }
}
