package dev.talaria.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Backend;
import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.SyncSettings;
import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Uploads a folder into a sandbox before the first command, and brings results back.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FolderSyncTest {
    @TempDir
    Path folder;

    static Stream<RunTarget> targets() {
        return Stream.of(
                RunTargets.localStream(),
                RunTargets.bubblewrapStream(),
                RunTargets.dockerStream(),
                RunTargets.sshUserStream());
    }

    private Path source() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.createDirectories(folder.resolve("work"));
        Files.createDirectories(source.resolve("src/.git"));
        Files.writeString(source.resolve("src/.git/config"), "not for others");
        Files.writeString(source.resolve(".env"), "KEY=secret");
        Files.writeString(source.resolve("src/main.py"), "print('synced')\n");
        Files.writeString(source.resolve("data.txt"), "data");
        return source;
    }

    private Settings settings(RunTarget target, String there) {
        Settings settings = Settings.defaults(Folders.below(folder.resolve("home")))
                .withBackend(target.backend(), target.options())
                .withTransport(target.transport())
                .withApprovals(ApprovalSettings.defaults().withMode(ApprovalMode.ALLOW));
        return settings.withCwd(
                        target.backend().equals("local") || target.backend().equals("bubblewrap")
                                ? folder.resolve("work").toString()
                                : "/tmp")
                .withSync(SyncSettings.defaults()
                        .with(
                                folder.resolve("source").toString(),
                                there,
                                folder.resolve("back").toString()));
    }

    private static String sh(Engine engine, String command) {
        return String.valueOf(engine.call(ToolCall.of("terminal", Map.of("command", command)))
                .value()
                .get("output"));
    }

    private static String fresh(RunTarget target, Path folder) {
        return target.backend().equals("local") || target.backend().equals("bubblewrap")
                ? folder.resolve("work/there").toString()
                : "/tmp/talaria-sync-" + System.nanoTime();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void theFirstCommandFindsTheFolderAndResultsComeBack(RunTarget target) throws IOException {
        target.missing().ifPresent(why -> assumeTrue(false, why));
        Path source = source();
        String there = fresh(target, folder);
        Settings settings = settings(target, there);
        List<String> heard = new CopyOnWriteArrayList<>();
        CallListener listener = event -> {
            if (event instanceof CallEvent.Preparing preparing) {
                heard.add(preparing.what().orElse("ready"));
            }
        };
        try (Engine engine =
                Engine.builder().settings(settings).listener(listener).build()) {
            assertThat(sh(engine, "cd " + there + " && python3 src/main.py && find . -type f | sort"))
                    .isEqualTo("synced\n./.talaria-sync.json\n./data.txt\n./src/main.py");
            sh(
                    engine,
                    "cd " + there + " && echo changed > data.txt && mkdir out && echo new > out/result"
                            + " && ln -s /etc/passwd out/evil && ln -s result out/fine");
        }

        assertThat(heard.getFirst()).startsWith("the folder " + source + ": 0.0 of 0.0 MB");
        assertThat(heard.getLast()).isEqualTo("ready");
        Path back = folder.resolve("back");
        assertThat(back.resolve("data.txt")).hasContent("changed\n");
        assertThat(back.resolve("out/result")).hasContent("new\n");
        assertThat(Files.isSymbolicLink(back.resolve("out/fine"))).isTrue();
        assertThat(Files.isSymbolicLink(back.resolve("out/evil"))).isFalse();
        assertThat(back.resolve("src/main.py")).doesNotExist();
        assertThat(source.resolve("data.txt")).hasContent("data");
        try (Stream<Path> kept = Files.list(folder.resolve("home/state/sync-back"))) {
            assertThat(kept).as("the archive with what was refused").hasSize(1);
        }
        try (Engine engine = Engine.builder()
                .settings(settings.withSync(settings.sync().off()))
                .build()) {
            sh(engine, "rm -r " + there);
        }
    }

    @Test
    void whatIsThereIsNotSentAgainAndWhatIsGoneGoes() throws IOException {
        Path source = source();
        Path there = folder.resolve("work/there");
        Settings settings = settings(RunTargets.localStream(), there.toString());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            sh(engine, "true");
        }
        Files.delete(source.resolve("data.txt"));
        Files.writeString(there.resolve("mine.txt"), "made there");
        var before = Files.getLastModifiedTime(there.resolve("src/main.py"));
        Object inode = Files.getAttribute(there.resolve("src/main.py"), "unix:ino");

        try (Engine engine = Engine.builder().settings(settings).build()) {
            sh(engine, "true");
        }

        assertThat(there.resolve("data.txt")).doesNotExist();
        assertThat(there.resolve("mine.txt")).exists();
        assertThat(Files.getLastModifiedTime(there.resolve("src/main.py"))).isEqualTo(before);
        assertThat(Files.getAttribute(there.resolve("src/main.py"), "unix:ino")).isEqualTo(inode);
    }

    @Test
    void resultsNeverGoOverTheSources() throws IOException {
        source();
        Settings settings =
                settings(RunTargets.localStream(), folder.resolve("work/there").toString());
        SyncSettings over = settings.sync()
                .with(
                        folder.resolve("source").toString(),
                        folder.resolve("work/there").toString(),
                        folder.resolve("source/..").toString());
        try (Engine engine = Engine.builder().settings(settings.withSync(over)).build()) {
            var result = engine.call(ToolCall.of("terminal", Map.of("command", "true")));

            assertThat(String.valueOf(result.value().get("error"))).contains("holds the sources");
        }
    }

    @Test
    void aPlaceThatIsOnlyAskedAboutGetsNothing() throws IOException {
        source();
        Settings settings =
                settings(RunTargets.localStream(), folder.resolve("work/there").toString());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            engine.warm("default");
            engine.call(ToolCall.of("process", Map.of("action", "list")));
        }

        assertThat(folder.resolve("work/there")).doesNotExist();
    }

    @Test
    void fiveHundredFilesTakeAFewTurns() throws IOException {
        Path source = Files.createDirectories(folder.resolve("source"));
        Files.createDirectories(folder.resolve("work"));
        for (int i = 0; i < 500; i++) {
            Files.writeString(source.resolve("file" + i), "content " + i);
        }
        Path there = folder.resolve("work/there");
        Turns turns = new Turns();
        EngineBuilder builder = Engine.builder()
                .settings(settings(RunTargets.localStream(), there.toString()).withTransport(Transport.STREAM))
                .backend(turns);
        try (Engine engine = builder.build()) {
            sh(engine, "true");
            int asked = turns.count();
            assertThat(there.resolve("file499")).hasContent("content 499");
            // The number includes the start of a relay, a login shell, a command, and the messages about free
            // buffer space.
            assertThat(asked).isLessThan(40);
        }
    }

    /// This machine through pipes. It counts the requests after its answers.
    private static final class Turns implements Backend {
        private final List<Boolean> spoken = new ArrayList<>();

        int count() {
            synchronized (spoken) {
                return (int) spoken.stream().filter(host -> host).count();
            }
        }

        private void speak(boolean host) {
            synchronized (spoken) {
                if (spoken.isEmpty() || spoken.getLast() != host) {
                    spoken.add(host);
                }
            }
        }

        @Override
        public String name() {
            return "turns";
        }

        @Override
        public Sandbox open(SandboxSpec spec) {
            Sandbox local = new LocalBackend().open(spec);
            return new Sandbox() {
                @Override
                public String name() {
                    return "turns";
                }

                @Override
                public Isolation isolation() {
                    return local.isolation();
                }

                @Override
                public boolean sharesHost() {
                    return false;
                }

                @Override
                public RunningProcess start(Command command) {
                    return counted(local.start(command));
                }

                @Override
                public void close() {
                    local.close();
                }
            };
        }

        private RunningProcess counted(RunningProcess process) {
            return new RunningProcess() {
                @Override
                public OutputStream stdin() {
                    return new FilterOutputStream(process.stdin()) {
                        @Override
                        public void write(byte[] bytes, int offset, int length) throws IOException {
                            speak(true);
                            out.write(bytes, offset, length);
                        }
                    };
                }

                @Override
                public InputStream stdout() {
                    return new FilterInputStream(process.stdout()) {
                        @Override
                        public int read(byte[] bytes, int offset, int length) throws IOException {
                            int count = in.read(bytes, offset, length);
                            speak(false);
                            return count;
                        }
                    };
                }

                @Override
                public InputStream stderr() {
                    return process.stderr();
                }

                @Override
                public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
                    return process.waitFor(limit);
                }

                @Override
                public void kill() {
                    process.kill();
                }

                @Override
                public void close() {
                    process.close();
                }
            };
        }
    }
}
