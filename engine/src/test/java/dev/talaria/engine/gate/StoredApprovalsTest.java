package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.engine.config.Folders;
import java.nio.file.Files;
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
                            .add(List.of(new Grant.Kind(key), new Grant.Kind("shared")), "x", "me", Instant.EPOCH)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(stored.grants())
                .hasSize(21)
                .contains(new Grant.Kind("key 0"), new Grant.Kind("key 19"), new Grant.Kind("shared"));
    }

    @Test
    void whatWasStoredBeforeThereWereScopesIsEverythingOfItsKind() throws Exception {
        StoredApprovals stored = store("""
                {"approvals":[{"id":"1a2b","key":"recursive delete","example":"rm -rf x","by":"me",
                 "at":"2026-01-01T00:00:00Z"}]}""");
        assertThat(stored.stored()).singleElement().satisfies(one -> {
            assertThat(one.grant()).isEqualTo(new Grant.Kind("recursive delete"));
            assertThat(one.grant().words()).isEqualTo("every recursive delete, anywhere");
        });
    }

    @Test
    void everyScopeIsReadAsItWasWrittenAndNoneButAKindHasAKey() {
        Grant.SandboxFolder here = new Grant.SandboxFolder("local", "/srv/app");
        List<Grant> all = List.of(
                new Grant.Command("command", "00ff", here),
                new Grant.Below("recursive delete", here),
                new Grant.Kind("git force push"));
        StoredApprovals stored = new StoredApprovals(Folders.below(folder));
        stored.add(all, "x", "me", Instant.EPOCH);
        assertThat(stored.stored()).extracting(StoredApproval::grant).isEqualTo(all);
        assertThat(stored.stored())
                .as("an older Talaria takes a key for the whole kind")
                .allMatch(one -> one.json().containsKey("key") == one.grant() instanceof Grant.Kind);
        assertThat(all)
                .extracting(Grant::words)
                .containsExactly(
                        "this very command in /srv/app",
                        "every recursive delete that changes nothing but what lies below /srv/app",
                        "every git force push, anywhere");
    }

    @Test
    void anUnknownScopeAllowsNothing() throws Exception {
        StoredApprovals stored = store("""
                {"approvals":[{"id":"1a2b","scope":"planet","key":"recursive delete","example":"x","by":"me",
                 "at":"2026-01-01T00:00:00Z"}]}""");
        assertThat(stored.grants()).isEmpty();
        assertThatThrownBy(stored::all).hasMessageContaining("unknown scope");
    }

    private StoredApprovals store(String json) throws Exception {
        Path file = Files.createDirectories(folder.resolve("state/approvals")).resolve("approvals.json");
        Files.writeString(file, json);
        return new StoredApprovals(Folders.below(folder));
    }
}
