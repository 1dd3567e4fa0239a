package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.Caller;
import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.SandboxSettings;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A session's files belong to one of its sandboxes at a time: the next opens when the last has released them.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandOverTest {
    @TempDir
    private Path folder;

    /// Opens sandboxes on this machine that close slowly. It notes whether two were open at the same time.
    private static final class OneAtATime implements Backend {
        private final AtomicInteger open = new AtomicInteger();
        private final CountDownLatch firstCloses = new CountDownLatch(1);
        private final CountDownLatch overlap = new CountDownLatch(1);
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public String name() {
            return "one-at-a-time";
        }

        @Override
        public Sandbox open(SandboxSpec spec) {
            opened.incrementAndGet();
            if (open.incrementAndGet() > 1) {
                overlap.countDown();
            }
            return new OnlySandbox(new LocalBackend().open(spec), this);
        }

        private void closes() {
            firstCloses.countDown();
            try {
                var _ = overlap.await(1, TimeUnit.SECONDS); // enough time to open another one
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            open.decrementAndGet();
        }
    }

    private record OnlySandbox(Sandbox here, OneAtATime backend) implements Sandbox {
        @Override
        public String name() {
            return here.name();
        }

        @Override
        public Isolation isolation() {
            return here.isolation();
        }

        @Override
        public boolean sharesHost() {
            return true;
        }

        @Override
        public RunningProcess start(Command command) {
            return here.start(command);
        }

        @Override
        public void close() {
            here.close();
            backend.closes();
        }
    }

    private final OneAtATime backend = new OneAtATime();

    private Engine engine(Duration idle) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder))
                        .withSandbox(SandboxSettings.defaults().withIdle(idle)))
                .backend(backend)
                .build();
    }

    private static Object run(Engine engine) {
        return engine.call(ToolCall.of(new Caller("test", "session"), "execute_code", Map.of("code", "print(1)")))
                .value()
                .get("output");
    }

    @Test
    void aCallThatComesWhileAnIdleOneIsClosedWaitsForThat() throws Exception {
        try (Engine engine = engine(Duration.ofMillis(100))) {
            assertThat(run(engine)).isEqualTo("1\n");
            backend.firstCloses.await();

            assertThat(run(engine)).isEqualTo("1\n");
        }
        assertThat(backend.opened.get()).isGreaterThan(1);
        assertThat(backend.overlap.getCount()).as("two were open at a time").isOne();
    }

    @Test
    void aCallThatComesWhileItsTaskIsEndedWaitsForThat() throws Exception {
        try (Engine engine = engine(Duration.ofHours(1))) {
            assertThat(run(engine)).isEqualTo("1\n");
            FutureTask<Boolean> cleanup = new FutureTask<>(() -> engine.cleanup("session"), true);
            Thread.ofPlatform().start(cleanup);
            backend.firstCloses.await();

            assertThat(run(engine)).isEqualTo("1\n");
            assertThat(((Future<Boolean>) cleanup).get()).isTrue();
        }
        assertThat(backend.opened.get()).isEqualTo(2);
        assertThat(backend.overlap.getCount()).as("two were open at a time").isOne();
    }
}
