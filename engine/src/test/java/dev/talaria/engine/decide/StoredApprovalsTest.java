package dev.talaria.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.config.Folders;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoredApprovalsTest {
    @TempDir
    private Path folder;

    @Test
    void enginesThatRememberAtTheSameTimeLoseNothing() throws Exception {
        StoredApprovals stored = new StoredApprovals(Folders.below(folder));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String key = "key " + i;
            threads.add(Thread.ofVirtual()
                    .start(() -> new StoredApprovals(Folders.below(folder))
                            .add(List.of(key, "shared"), "x", "me", Instant.EPOCH)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(stored.keys()).hasSize(21).contains("key 0", "key 19", "shared");
    }
}
