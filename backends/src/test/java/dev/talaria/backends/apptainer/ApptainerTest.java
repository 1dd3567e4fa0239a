package dev.talaria.backends.apptainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.HostView;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.testkit.TestSandboxes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the backend beside its commands, with the real Apptainer.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApptainerTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final ApptainerBackend backend = new ApptainerBackend();

    @BeforeEach
    void mustBeThere() {
        TestSandboxes.apptainer().missing().ifPresent(why -> {
            System.out.println("SKIPPED ApptainerTest: " + why);
            Assumptions.abort(why);
        });
    }

    private static SandboxSpec spec(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(TestSandboxes.apptainerOptions());
        options.putAll(more);
        return new SandboxSpec(options);
    }

    private static Path scratch() {
        return Path.of(TestSandboxes.apptainerOptions().get("scratch"));
    }

    private static String output(Sandbox sandbox, String script) throws Exception {
        try (RunningProcess process = sandbox.start(Command.of("sh", "-c", script))) {
            process.stdin().close();
            String printed = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(SOON)).contains(0);
            return printed.strip();
        }
    }

    /// Creates a program that replaces Apptainer for some calls, and passes on all others.
    private static String instead(Path folder, String condition, String action) throws IOException {
        Path program = folder.resolve("apptainer");
        Files.writeString(
                program,
                "#!/bin/sh\ncase \"$*\" in " + condition + ") " + action + ";; esac\nexec "
                        + TestSandboxes.apptainerOptions().get("binary") + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program.toString();
    }

    @Test
    void aSandboxIsThereUntilItIsClosedAndLeavesNothing() throws Exception {
        SandboxSpec spec = spec(Map.of());
        Sandbox sandbox = backend.open(spec);
        try (sandbox) {
            assertThat(sandbox.alive()).isTrue();
            assertThat(sandbox.reachesHost()).isFalse();
            assertThat(sandbox.remarks()).isEmpty();
            assertThat(output(sandbox, "echo one > ~/file; echo two > /usr/file; cat ~/file /usr/file"))
                    .isEqualTo("one\ntwo");
            assertThat(sandbox.usage().memory().orElseThrow()).isPositive();
            assertThat(sandbox.usage().disk().orElseThrow()).isPositive();
            assertThat(new ApptainerBackend().usage(spec).memory().orElseThrow())
                    .isPositive();
            assertThat(new ApptainerBackend().usage(spec).disk().orElseThrow()).isPositive();
            assertThat(sandbox.fleeting("/usr/file").orElseThrow()).contains("persistent=true");
            assertThat(output(sandbox, "ls -A ~; ls /sys/class/net >/dev/null; cat /proc/net/dev | grep -c :"))
                    .isEqualTo("file\n1");
            assertThat(output(sandbox, "env")).doesNotContain("JAVA_HOME", "TALARIA");
        }

        assertThat(sandbox.alive()).isFalse();
        assertThat(scratch().resolve(spec.outsideName())).doesNotExist();
    }

    @Test
    void aFolderOfThisMachineIsCalledWhatItIsCalledInsideOrReplaced(@TempDir Path shown) throws Exception {
        Map<String, String> options =
                spec(Map.of("volumes", shown + ":/mnt/shown")).options();
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x")); // for other users
        Path deep = Files.createDirectory(shown.resolve("deep"));
        try (Sandbox sandbox = backend.open(new SandboxSpec(options).in(deep.toString()))) {
            assertThat(output(sandbox, "pwd")).isEqualTo("/mnt/shown/deep");
            assertThat(sandbox.folder(deep.toString())).isEqualTo("/mnt/shown/deep");
        }
        try (Sandbox sandbox = backend.open(new SandboxSpec(options).in("~/deep"))) {
            assertThat(output(sandbox, "test \"$PWD\" = ~/deep; echo $?")).isEqualTo("0");
            assertThat(sandbox.remarks()).noneMatch(remark -> remark.contains("one of this machine,"));
        }
        for (String wanted : List.of("/home/somebody/project", "/Users/me", "relative", "C:\\work")) {
            try (Sandbox sandbox = backend.open(new SandboxSpec(options).in(wanted))) {
                assertThat(output(sandbox, "test \"$PWD\" = \"$HOME\"; echo $?"))
                        .isEqualTo("0");
                assertThat(sandbox.folder(wanted)).isNotEqualTo(wanted);
                assertThat(sandbox.remarks())
                        .anySatisfy(remark ->
                                assertThat(remark).contains("The folder " + wanted + " is one of this machine"));
            }
        }
    }

    @Test
    void whatAKilledTalariaLeftIsRemovedByItsName() throws Exception {
        SandboxSpec spec = spec(Map.of());
        Sandbox left = backend.open(spec);
        try (RunningProcess process = left.start(Command.of("sh", "-c", "echo started; exec sleep 600"))) {
            assertThat(process.stdout().readNBytes(8))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("started\n");

            new ApptainerBackend().remove(spec);
            new ApptainerBackend().remove(spec);

            assertThat(process.waitFor(SOON)).isPresent();
        }
        assertThat(left.alive()).isFalse();
        assertThat(scratch().resolve(spec.outsideName())).doesNotExist();
    }

    @Test
    void onlyVariablesThatAreListedGetInAndNobodyReadsThem(@TempDir Path folder) throws Exception {
        String value = "a $(id) `id` \"q\" $HOME";
        Map<String, String> host = new HashMap<>(System.getenv());
        host.putAll(Map.of("LISTED", value, "OTHER", "secret", "APPTAINER_BIND", "/etc:/seen", "APPTAINERENV_X", "1"));
        Map<String, String> chosen =
                Map.of("binary", TestSandboxes.apptainerOptions().get("binary"), "forward-env", "LISTED");
        ApptainerClient client =
                ApptainerClient.locate(Options.of(new ApptainerBackend(), new SandboxSpec(chosen)), host);
        String image = TestSandboxes.apptainerOptions().get("image");

        Client.Finished shown = Client.run(
                client.command(ApptainerSandbox.exec(
                        client,
                        List.of("--containall", image),
                        List.of("sh", "-c", "echo \"$LISTED\"; env; ls /seen"),
                        "/")),
                SOON,
                100_000);

        assertThat(shown.printed()).startsWith(value + "\n").doesNotContain("OTHER", "X=1");
        assertThat(shown.said()).contains("/seen");
    }

    @Test
    void limitsThatCannotBeKeptAreNamed(@TempDir Path folder) throws Exception {
        String program = instead(
                folder, "*--memory*", "echo 'FATAL: while applying cgroups config: cannot use cgroups' >&2; exit 255");

        try (Sandbox sandbox = backend.open(spec(Map.of("binary", program, "memory", "100m", "cpus", "1")))) {
            assertThat(sandbox.remarks())
                    .singleElement()
                    .asString()
                    .contains("not limited")
                    .contains("cgroups");
            assertThat(output(sandbox, "echo ran")).isEqualTo("ran");
        }
    }

    @Test
    void whereInstancesFailEveryCommandGetsAContainer(@TempDir Path folder) throws Exception {
        String program = instead(folder, "*'instance start'*", "echo 'FATAL: no instances here' >&2; exit 255");

        try (Sandbox sandbox = backend.open(spec(Map.of("binary", program)))) {
            assertThat(sandbox.remarks())
                    .singleElement()
                    .asString()
                    .contains("no instances here")
                    .contains("/tmp");
            output(sandbox, "echo kept > /tmp/file");
            assertThat(output(sandbox, "cat /tmp/file; readlink /proc/1/exe >/dev/null; echo $$"))
                    .startsWith("kept");
            assertThat(sandbox.alive()).isTrue();
        }
    }

    @Test
    void aSandboxThatIsNotApartIsNotUsed(@TempDir Path folder) throws Exception {
        String own = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        String program = instead(
                folder,
                "*readlink*",
                "printf '/home/x\\n" + own + "\\nnet:[1]\\nhidden\\n1 0 0:1 / / rw - overlay x rw\\n'; exit 0");
        SandboxSpec spec = spec(Map.of("binary", program));

        assertThatThrownBy(() -> backend.open(spec).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("processes of this machine");
        assertThat(scratch().resolve(spec.outsideName())).doesNotExist();
    }

    @Test
    void aFolderOfThisMachineIsSeenOnlyIfItIsListedAndThenTheGateStaysAwake() throws Exception {
        Path shared = Files.createDirectory(scratch().resolve("shared-" + UUID.randomUUID()));
        Files.writeString(shared.resolve("file"), "shared");
        try (Sandbox reading = backend.open(spec(Map.of("volumes", shared + ":/data:ro")));
                Sandbox writing = backend.open(spec(Map.of("volumes", shared + ":/data")))) {
            assertThat(output(reading, "cat /data/file; touch /data/x 2>/dev/null || echo refused"))
                    .isEqualTo("sharedrefused");
            assertThat(reading.reachesHost()).isFalse();
            assertThat(writing.reachesHost()).isTrue();
        } finally {
            ApptainerFolders.delete(shared);
        }
    }

    @Test
    void aSessionsFilesAreKeptAndBelongToOneSandboxAtATime() throws Exception {
        SandboxSpec spec = spec(Map.of("persistent", "true"));
        Map<String, String> labels = Map.of("talaria.session", "session/" + UUID.randomUUID());
        SandboxSpec first = new SandboxSpec(
                SandboxSpec.newId(), labels, Optional.empty(), spec.options(), Optional.empty(), HostView.NONE);
        SandboxSpec second = new SandboxSpec(
                SandboxSpec.newId(), labels, Optional.empty(), spec.options(), Optional.empty(), HostView.NONE);
        try {
            try (Sandbox sandbox = backend.open(first)) {
                output(sandbox, "echo kept > /usr/file; echo home > ~/file");
                assertThat(sandbox.fleeting("~/file")).isEmpty();
                assertThat(backend.usage(first).disk().orElseThrow()).isPositive();

                assertThatThrownBy(() -> backend.open(second).close())
                        .isInstanceOf(SandboxException.class)
                        .hasMessageContaining("in use by another sandbox");
            }
            try (Sandbox sandbox = backend.open(second)) {
                assertThat(output(sandbox, "cat /usr/file ~/file")).isEqualTo("kept\nhome");
            }
        } finally {
            ApptainerFolders folders = ApptainerFolders.of(
                    Options.of(
                            backend, new SandboxSpec(Map.of("scratch", scratch().toString()))),
                    Path.of("/scratch"),
                    Map.of());
            ApptainerFolders.Own own = folders.kept(labels.get("talaria.session"));
            own.release();
            ApptainerFolders.delete(own.top());
        }
    }

    @Test
    void anImageIsMadeOnceForAllThatWantIt() throws Exception {
        Path work = Files.createDirectory(scratch().resolve("made-" + UUID.randomUUID()));
        Path count = work.resolve("count");
        Path archive = work.resolve("image.tar");
        Client.Finished saved =
                Client.attempt(List.of("docker", "save", "-o", archive.toString(), "talaria-test:bare"));
        Assumptions.assumeTrue(saved.ended(0), saved.said());
        String image = "docker-archive:" + archive;
        String program = instead(work, "*'build '*", "echo built >> " + count + "; echo Unpacking; sleep 8");
        SandboxSpec spec = spec(Map.of(
                "binary",
                program,
                "image",
                image,
                "cache",
                work.resolve("cache").toString()));
        List<String> heard = new CopyOnWriteArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Callable<String>> opens = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                opens.add(() -> {
                    try (Sandbox sandbox = new ApptainerBackend().open(new SandboxSpec(spec.options()), heard::add)) {
                        return output(sandbox, "echo ran");
                    }
                });
            }
            for (Future<String> opened : threads.invokeAll(opens)) {
                assertThat(opened.get()).isEqualTo("ran");
            }
            assertThat(Files.readAllLines(count)).hasSize(1);
            assertThat(heard)
                    .filteredOn(line -> line.endsWith("which is made into a file"))
                    .isNotEmpty();
            assertThat(heard).contains("the image " + image + ": Unpacking");
        } finally {
            ApptainerFolders.delete(work);
        }
    }

    @Test
    void anImageThatCannotBeHadIsNamedWithWhatToDo() throws Exception {
        Path cache = Files.createDirectory(scratch().resolve("made-" + UUID.randomUUID()));
        try {
            for (String image : List.of("docker-archive:/no/such/archive.tar", "/no/such/image.sif")) {
                assertThatThrownBy(() -> backend.open(spec(Map.of("image", image, "cache", cache.toString())))
                                .close())
                        .isInstanceOfSatisfying(
                                SandboxException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.BACKEND_UNAVAILABLE))
                        .hasMessageContaining(image);
            }
        } finally {
            ApptainerFolders.delete(cache);
        }
    }

    @Test
    void rootInsideWorksWhereTheSiteAllowsIt() throws Exception {
        try (Sandbox sandbox = backend.open(spec(Map.of("fakeroot", "true")))) {
            assertThat(output(sandbox, "id -u; touch /usr/file && echo written"))
                    .isEqualTo("0\nwritten");
        }
    }

    @Test
    void muchOnTheDiskIsTold(@TempDir Path folder) {
        TestSandboxes.apptainer();
        try (Sandbox sandbox = backend.open(spec(Map.of("disk-warning", "0.000001")))) {
            Awaitility.await().atMost(SOON).until(() -> !sandbox.remarks().isEmpty());

            assertThat(sandbox.remarks())
                    .singleElement()
                    .asString()
                    .contains("GB")
                    .contains(scratch().toString());
        }
    }
}
