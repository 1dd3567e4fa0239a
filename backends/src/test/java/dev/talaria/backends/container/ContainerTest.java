package dev.talaria.backends.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.HostView;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.testkit.TestSandbox;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a container of Talaria can do and cannot do, and that nothing of it stays; on each engine.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ContainerTest {
    private static final int MUCH = 4 << 20;

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path temporary;

    abstract TestSandbox target();

    @BeforeEach
    void needsTheEngine() {
        assumeTrue(target().missing().isEmpty(), () -> target().missing().orElse(""));
    }

    private Backend backend() {
        return target().find();
    }

    private String client() {
        return target().backend();
    }

    private SandboxSpec spec(Map<String, String> more) {
        return spec(Optional.empty(), more);
    }

    private SandboxSpec spec(Optional<String> cwd, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(target().options());
        options.putAll(more);
        return new SandboxSpec(
                SandboxSpec.newId(),
                Map.of("talaria.session", "Test/1"),
                cwd,
                options,
                Optional.of(Map.of()),
                HostView.NONE);
    }

    private Sandbox open(Map<String, String> more) {
        return backend().open(spec(more));
    }

    private static String shell(Sandbox sandbox, String script) throws IOException, InterruptedException {
        try (RunningProcess process = sandbox.start(Command.of("sh", "-c", "exec 2>&1; " + script))) {
            process.stdin().close();
            String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(SOON)).isPresent();
            return out.strip();
        }
    }

    private String inspect(SandboxSpec spec, String format) {
        return Client.output(List.of(client(), "inspect", "--format", format, spec.outsideName()))
                .orElse("gone");
    }

    private void refused(Map<String, String> options, String... words) {
        SandboxSpec spec = spec(options);
        assertThatThrownBy(() -> backend().open(spec).close())
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .message()
                .contains(words);
        assertThat(inspect(spec, "{{.Name}}")).isEqualTo("gone");
    }

    @Test
    void itIsTheDeclaredContainerAndAnOrdinaryUserHasNoRights() throws Exception {
        SandboxSpec spec = spec(Map.of("user", "4242"));
        try (Sandbox sandbox = backend().open(spec)) {
            assertThat(sandbox.remarks()).isEmpty();
            assertThat(sandbox.isolation()).isEqualTo(Isolation.CONTAINER);
            assertThat(sandbox.reachesHost()).isFalse();
            assertThat(inspect(
                            spec,
                            "{{.HostConfig.Privileged}} {{.HostConfig.Init}} {{.HostConfig.Memory}}"
                                    + " {{.HostConfig.MemorySwap}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}"
                                    + " {{.HostConfig.ShmSize}} {{.HostConfig.NetworkMode}}"))
                    .isEqualTo("false true 5368709120 5368709120 1000000000 512 1073741824 none");
            assertThat(inspect(
                            spec, "{{index .Config.Labels \"talaria\"}} {{index .Config.Labels \"talaria.session\"}}"))
                    .isEqualTo("1 Test/1");
            assertThat(shell(sandbox, "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs):' /proc/self/status"))
                    .containsIgnoringWhitespaces("CapInh: 0000000000000000 CapPrm: 0000000000000000")
                    .containsIgnoringWhitespaces("CapEff: 0000000000000000 CapBnd: 0000000000000000")
                    .containsIgnoringWhitespaces("CapAmb: 0000000000000000 NoNewPrivs: 1");
            assertThat(shell(sandbox, "id -u; id -g; pwd; echo $HOME; echo x > $HOME/x; echo y > y; cat $HOME/x y"))
                    .isEqualTo("4242\n4242\n/workspace\n/home/talaria\nx\ny");
            assertThat(shell(sandbox, "for f in /tmp /var/tmp /workspace $HOME; do echo x > $f/f || echo no; done"))
                    .isEmpty();
            assertThat(shell(sandbox, "printf '#!/bin/sh\\necho ran' > s; chmod +x s; ./s; cp s /var/tmp; /var/tmp/s"))
                    .startsWith("ran\n")
                    .contains("Permission denied");
            assertThat(shell(sandbox, "ls /sys/class/net")).isEqualTo("lo");
            assertThat(shell(sandbox, "cat /proc/1/comm")).isNotEqualTo("sleep");
            assertThat(sandbox.usage().memory()).isPresent();
            assertThat(sandbox.usage().disk()).isPresent();
            assertThat(sandbox.alive()).isTrue();
        }
        assertThat(inspect(spec, "{{.Name}}")).isEqualTo("gone");
    }

    @Test
    void rootInsideHasWhatAptNeedsAndNoMore() throws Exception {
        try (Sandbox sandbox = open(Map.of("user", "root"))) {
            // DAC_OVERRIDE 1, CHOWN 0, FOWNER 3, SETUID 7, SETGID 6
            assertThat(shell(sandbox, "grep CapEff /proc/self/status")).endsWith("00000000000000cb");
            assertThat(shell(
                            sandbox,
                            "cd /var/lib && mkdir t && chown 100:65534 t && chmod 700 t && echo x > t/x && cat t/x"
                                    + " && chown 5:5 t/x && chmod 600 t/x && echo y > t/x && rm -r t && echo done"))
                    .isEqualTo("x\ndone");
            assertThat(shell(sandbox, "mount -t tmpfs none /mnt || echo kept in"))
                    .endsWith("kept in");
        }
    }

    @Test
    void whatFailsLeavesNoContainerAndNamesTheReason() {
        SandboxSpec runtime = spec(Map.of("runtime", "no-such-runtime"));
        assertThatThrownBy(() -> backend().open(runtime).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("no-such-runtime")
                .hasMessageContaining("option runtime");
        assertThat(inspect(runtime, "{{.Name}}")).isEqualTo("gone");

        SandboxSpec image = spec(Map.of("image", "localhost:1/no-such:image"));
        assertThatThrownBy(() -> backend().open(image).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("There is no image localhost:1/no-such:image here, and it cannot be pulled")
                .hasMessageContaining("option image");
        assertThat(inspect(image, "{{.Name}}")).isEqualTo("gone");

        SandboxSpec binary = spec(Map.of("binary", "/no/such/client"));
        assertThatThrownBy(() -> backend().open(binary).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("/no/such/client");
    }

    @Test
    void whatAKilledTalariaLeftIsFoundByItsName() {
        SandboxSpec spec = spec(Map.of());
        Sandbox left = backend().open(spec);
        assertThat(inspect(spec, "{{.State.Running}}")).isEqualTo("true");

        backend().remove(spec);

        assertThat(inspect(spec, "{{.Name}}")).isEqualTo("gone");
        assertThat(left.alive()).isFalse();
        backend().remove(spec);
        left.close();
    }

    @Test
    void aContainerOfThatNameIsMadeAnew() {
        SandboxSpec spec = spec(Map.of());
        Sandbox first = backend().open(spec);
        try (Sandbox second = backend().open(spec)) {
            assertThat(second.alive()).isTrue();
        }
        assertThat(first.alive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "extra-args | [\"--privileged\"] | --privileged",
                "extra-args | [\"--pid=host\"] | --pid",
                "extra-args | [\"--pid\", \"host\"] | --pid",
                "extra-args | [\"--ipc=host\"] | --ipc",
                "extra-args | [\"--uts=host\"] | --uts",
                "extra-args | [\"--userns=host\"] | --userns",
                "extra-args | [\"--device\", \"/dev/kmsg\"] | --device",
                "extra-args | [\"--cap-add=SYS_ADMIN\"] | SYS_ADMIN",
                "extra-args | [\"--cap-add\", \"ALL\"] | ALL",
                "extra-args | [\"--security-opt\", \"seccomp=unconfined\"] | seccomp",
                "extra-args | [\"--security-opt=apparmor=unconfined\"] | apparmor",
                "extra-args | [\"--network=host\"] | option network",
                "extra-args | [\"--net\", \"host\"] | option network",
                "extra-args | [\"--user\", \"0\"] | option user",
                "extra-args | [\"-e\", \"A=secret\"] | option env",
                "extra-args | [\"--mount\", \"type=bind,source=/,target=/h\"] | option volumes",
                "volumes | [\"/var/run/docker.sock:/s\"] | socket",
                "extra-args | [\"--some-new-flag\"] | --some-new-flag",
                "extra-args | [\"image\"] | image",
                "network | host | network",
                "network | container:other | network",
                "volumes | [\"/var/run:/r\"] | socket",
                "volumes | [\"/run/docker.sock:/d.sock:ro\"] | socket",
                "volumes | [\"/:/host\"] | socket",
                "volumes | [\"/run:/host\"] | socket",
                "volumes | [\"/proc:/p\"] | /proc",
                "volumes | [\"/tmp:/t:shared\"] | SOURCE:TARGET",
                "volumes | [\"/no/such/folder:/t\"] | /no/such/folder",
                "volumes | [\"relative | JSON",
                "env | {\"DOCKER_HOST\": \"x\"} | DOCKER_HOST",
                "env | [1] | JSON object",
                "memory | lots | 512m",
                "cpus | -1 | cpus",
                "user | nobody | user",
                "ulimits | [\"--privileged\"] | ulimits",
                "image | --privileged | image",
            })
    void whatWouldOpenTheContainerIsRefused(String option, String value, String word) {
        refused(Map.of(option, value), option, word);
    }

    @Test
    void aLinkToASocketIsTheSocket() throws Exception {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), Path.of("/run"));
        refused(Map.of("volumes", "[\"" + link + ":/x\"]"), "socket");
        refused(Map.of("extra-args", "[\"-v\", \"/var/run/docker.sock:/s\"]"), "socket");
    }

    @Test
    void unsafeIsSaid() {
        try (Sandbox sandbox = open(Map.of("unsafe", "true", "extra-args", "[\"--cap-add\", \"SYS_PTRACE\"]"))) {
            assertThat(sandbox.remarks())
                    .anyMatch(remark -> remark.contains("UNSAFE") && remark.contains("SYS_PTRACE"));
            assertThat(sandbox.reachesHost()).isTrue();
            assertThat(sandbox.isolation()).isEqualTo(Isolation.NONE);
        }
    }

    @Test
    void valuesOfVariablesAreInNoCommandLine() throws Exception {
        String secret = "s3cret-" + SandboxSpec.newId();
        SandboxSpec spec = spec(Map.of(
                "env",
                "{\"TOKEN\": \"" + secret + "\\nsecond\", \"N\": 3}",
                "forward-env",
                "[\"PWD\", \"TALARIA_NO_SUCH\"]"));
        ContainerPlan plan = ContainerPlan.of(
                ContainerKind.valueOf(client().toUpperCase(Locale.ROOT)),
                Options.of(backend(), spec),
                spec,
                new ContainerUser(1, 1, false));
        assertThat(String.join(" ", plan.run(true, true, false)))
                .contains("-e TOKEN")
                .doesNotContain(secret);
        try (Sandbox sandbox = backend().open(spec)) {
            assertThat(shell(sandbox, "echo \"$TOKEN,$N,${TALARIA_NO_SUCH-unset}\""))
                    .isEqualTo(secret + "\nsecond,3,unset");
            assertThat(Client.output(List.of("ps", "-eo", "args")).orElseThrow())
                    .doesNotContain(secret);
        }
    }

    /// Podman's client does one thing at a time. It must not wait for itself through us.
    @Test
    void aContainerThatIsEnteredTakesInputWhileNobodyReadsWhatItPrints() throws Exception {
        SandboxSpec spec = spec(Optional.empty(), Map.of());
        try (Sandbox made = backend().open(spec);
                Sandbox entered = backend().open(new SandboxSpec(Map.of("container", spec.outsideName())).in("/tmp"));
                RunningProcess process = entered.start(
                        Command.of("sh", "-c", "head -c " + MUCH + " /dev/zero & wc -c > count; wait; cat count"))) {
            assertThat(made.alive()).isTrue();
            CompletableFuture<Void> written = CompletableFuture.runAsync(
                    () -> fill(process.stdin()),
                    work -> Thread.ofPlatform().daemon().start(work));

            written.get(30, TimeUnit.SECONDS); // only then somebody reads
            byte[] printed = process.stdout().readAllBytes();

            assertThat(printed).hasSizeGreaterThan(MUCH);
            assertThat(new String(printed, MUCH, printed.length - MUCH, StandardCharsets.UTF_8).strip())
                    .isEqualTo(String.valueOf(MUCH));
            assertThat(process.waitFor(Duration.ofSeconds(30))).contains(0);
        }
    }

    private static void fill(OutputStream stdin) {
        try (stdin) {
            stdin.write(new byte[MUCH]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsNotKeptEndsWithTheContainerAndWhatIsKeptDoesNot() throws Exception {
        Map<String, String> kept = Map.of("persistent", "true", "sandbox-dir", temporary.toString());
        try (Sandbox sandbox = open(kept)) {
            shell(sandbox, "echo work > file; echo home > ~/file");
            assertThat(sandbox.reachesHost()).isFalse();
        }
        try (Sandbox sandbox = open(kept)) {
            assertThat(shell(sandbox, "cat file ~/file")).isEqualTo("work\nhome");
        }
        assertThat(temporary).isDirectoryContaining("glob:**/" + backend().name());
        try (Sandbox sandbox = open(Map.of())) {
            assertThat(shell(sandbox, "ls -A . ~")).doesNotContain("file");
        }
    }

    @Test
    void theFolderOfTheHostIsMountedAndItsFilesAreOurs() throws Exception {
        Path inner = Files.createDirectory(temporary.resolve("in, \"ner:1"));
        Path project = client().equals("podman") ? temporary : inner; // its command line cannot name such a folder
        SandboxSpec spec = spec(Optional.of(project.toString()), Map.of("mount-cwd", "true"));
        try (Sandbox sandbox = backend().open(spec)) {
            assertThat(sandbox.remarks()).isEmpty();
            assertThat(sandbox.reachesHost()).isTrue();
            assertThat(shell(sandbox, "pwd; echo x > made")).isEqualTo("/workspace");
            assertThat(project.resolve("made")).hasContent("x");
            assertThat(Files.getOwner(project.resolve("made"))).isEqualTo(Files.getOwner(project));
        }
    }

    @Test
    void aFolderOfTheHostIsMappedOrReplaced() throws Exception {
        Path inner = Files.createDirectory(temporary.resolve("inner"));
        Map<String, String> mounted = Map.of("volumes", "[\"" + temporary + ":/data:ro\"]");
        try (Sandbox sandbox = backend().open(spec(Optional.of(inner.toString()), mounted))) {
            assertThat(shell(sandbox, "pwd; echo x > x || echo read-only"))
                    .startsWith("/data/inner")
                    .endsWith("read-only");
            assertThat(sandbox.remarks()).anyMatch(remark -> remark.contains("cannot write to /data/inner"));
        }
        try (Sandbox sandbox = backend().open(spec(Optional.of("/home/me/project"), Map.of()))) {
            assertThat(shell(sandbox, "pwd")).isEqualTo("/workspace");
            assertThat(sandbox.remarks()).anyMatch(remark -> remark.contains("/home/me/project"));
        }
    }

    @Test
    void aReadOnlyRootLeavesScratchAlone() throws Exception {
        try (Sandbox sandbox = open(Map.of("read-only", "true", "user", "root"))) {
            assertThat(shell(sandbox, "echo x > /etc/x || echo kept; echo y > y; echo z > /tmp/z; cat y /tmp/z"))
                    .contains("Read-only file system")
                    .endsWith("kept\ny\nz");
        }
    }

    @Test
    void processesAreLimited() throws Exception {
        try (Sandbox sandbox = open(Map.of("pids", "20", "user", "4242"))) {
            assertThat(shell(sandbox, "for i in 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0; do sleep 1 & done; wait"))
                    .containsIgnoringCase("fork");
        }
    }

    @Test
    void aDiskLimitThatTheEngineCannotKeepIsSaid() throws Exception {
        try (Sandbox sandbox = open(Map.of("disk", "100m"))) {
            assertThat(shell(sandbox, "df -m /workspace | tail -n 1")).contains(" 100 ");
            String own = shell(sandbox, "df -m / | tail -n 1 | awk '{print $2}'");
            if (Integer.parseInt(own) > 100) {
                assertThat(sandbox.remarks()).anyMatch(remark -> remark.contains("is not enforced"));
            }
        }
    }
}
