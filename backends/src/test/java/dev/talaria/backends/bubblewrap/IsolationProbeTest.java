package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Command;
import dev.talaria.api.ReachableArea;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import dev.talaria.backends.process.Client;
import dev.talaria.testkit.Testbed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The proof of what a sandbox can reach, so that the gate asks only about damage that can happen there.
final class IsolationProbeTest {
    private static final Path OWN = Path.of("/tmp/talaria-own");
    private static final Set<ReachableArea> EVERYTHING = Set.of(ReachableArea.values());

    @TempDir
    private Path folder;

    @Test
    void closedReachesNothingAndWorkspaceItsFolderAndOtherMachines() {
        assumeTrue(Testbed.value("BWRAP").isPresent(), () -> Testbed.whyMissing("bwrap"));
        assertThat(reach("closed")).isEmpty();
        assertThat(reach("workspace")).isEqualTo(Set.of(ReachableArea.WORK, ReachableArea.OUTSIDE));
    }

    private Set<ReachableArea> reach(String profile) {
        SandboxSpec spec = new SandboxSpec(Map.of("profile", profile)).in(folder.toString());
        try (Sandbox sandbox = new BubblewrapBackend().open(spec)) {
            assertThat(sandbox.reachesHost()).as("the hard floor holds").isTrue();
            return sandbox.reach();
        }
    }

    @Test
    void whatIsWiderThanItsNameIsFoundOut() {
        assumeTrue(Testbed.value("BWRAP").isPresent(), () -> Testbed.whyMissing("bwrap"));
        List<String> view = List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc");
        assertThat(seen(view, "--unshare-net")).isEmpty();
        assertThat(seen(view)).as("a network").isEqualTo(EVERYTHING);
        assertThat(seen(view, "--unshare-net", "--bind", folder.toString(), folder.toString()))
                .as("a folder of the host's")
                .isEqualTo(EVERYTHING);
        assertThat(seen(view, "--unshare-net", "--bind", "/dev/shm", "/mnt"))
                .as("a file system in memory that is the host's")
                .isEqualTo(EVERYTHING);
        assertThat(seen(view, "--unshare-net", "--tmpfs", "/mnt"))
                .as("one of its own")
                .isEmpty();
    }

    private static Set<ReachableArea> seen(List<String> view, String... more) {
        List<String> words = new ArrayList<>(List.of("bwrap", "--unshare-pid"));
        words.addAll(view);
        words.addAll(List.of(more));
        words.addAll(IsolationProbe.PROBE);
        Client.Finished probe = Client.run(Command.of(words), Duration.ofSeconds(20), 1 << 20);
        assertThat(probe.ended(0)).as(probe.said()).isTrue();
        return IsolationProbe.of(probe.printed(), OWN).reach(Profile.CLOSED, Set.of());
    }

    @Test
    void whereNothingIsSeenNothingIsProved() {
        for (String printed : List.of("", "\n\n", "cat: no such file\n\nnothing")) {
            assertThat(IsolationProbe.of(printed, OWN).reach(Profile.CLOSED, Set.of()))
                    .isEqualTo(EVERYTHING);
            assertThat(IsolationProbe.of(printed, OWN).reach(Profile.WORKSPACE, Set.of(Path.of("/work"))))
                    .isEqualTo(EVERYTHING);
        }
    }

    @Test
    void aMountUnderAnotherIsNotSeen() {
        String root = "1 0 254:0 / / ro,relatime - ext4 /dev/vda rw\n";
        String covered =
                "2 1 0:5 / /dev rw - devtmpfs d rw\n3 2 0:6 / /dev/shm rw - tmpfs t rw\n4 2 0:99 / /dev ro - tmpfs t rw\n";
        String sibling = "5 1 254:1 / /a/b rw - ext4 /dev/vdb rw\n6 1 0:98 / /a ro - tmpfs t rw\n";
        String network = "\n\n    lo: 0\n";
        assertThat(IsolationProbe.of((root + covered + sibling).strip() + network, OWN)
                        .writable())
                .isEmpty();
        String open = "7 6 254:1 / /a/c rw - ext4 /dev/vdb rw\n";
        assertThat(IsolationProbe.of((root + covered + sibling + open).strip() + network, OWN)
                        .writable())
                .containsExactly(Path.of("/a/c"));
    }

    @Test
    void whatIsTheSandboxsOwnIsNobodyElses() {
        String own = "1 0 254:0 / / ro - ext4 /dev/vda rw\n2 1 254:0 /tmp/talaria-own/tmp /tmp rw - ext4 /dev/vda rw";
        assertThat(IsolationProbe.of(own + "\n\n lo: 0", OWN).writable()).isEmpty();
        assertThat(IsolationProbe.of(own + "\n\n lo: 0", Path.of("/tmp/talaria-other"))
                        .writable())
                .containsExactly(Path.of("/tmp"));
    }
}
