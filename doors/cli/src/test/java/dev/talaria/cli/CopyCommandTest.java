package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyCommandTest {
    @TempDir
    Path folder;

    @Test
    void copiesInAndOut() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "content");

        InProcess.CliResult in = new InProcess(folder).run("cp", file.toString(), ":" + folder.resolve("b.txt"));
        InProcess.CliResult out = new InProcess(folder)
                .run("cp", "--json", "local:" + folder.resolve("b.txt"), folder.resolve("c.txt") + "");

        assertThat(in.exit()).as(in.err()).isZero();
        assertThat(in.out()).isEmpty();
        assertThat(out.exit()).as(out.err()).isZero();
        assertThat(Json.object(out.out()))
                .containsEntry("path", folder.resolve("c.txt").toString())
                .containsEntry("files", 1)
                .containsEntry("bytes", 7)
                .containsEntry("resumed_at", 0);
        assertThat(folder.resolve("c.txt")).hasContent("content");
    }

    @Test
    void whatIsLeftOutCountsAsAFailure() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("out"), Path.of("/etc"));
        Files.writeString(tree.resolve("kept"), "x");

        InProcess.CliResult ended = new InProcess(folder).run("cp", tree.toString(), ":" + folder.resolve("there"));

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).contains("out is a link").contains("left out");
        assertThat(folder.resolve("there/kept")).hasContent("x");
    }

    @ParameterizedTest
    @CsvSource({"a,b", ":a,:b", ":,b", "a,./b:c", "docker:/x,ssh:/y"})
    void oneSideIsASandboxs(String from, String to) {
        InProcess.CliResult ended = new InProcess(folder).run("cp", from, to);

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("cp --help");
    }

    @Test
    void anUnknownBackendIsNamed() {
        assertThat(new InProcess(folder).run("cp", "a", "nowhere:/b").err())
                .contains("There is no backend 'nowhere'")
                .contains("docker");
    }

    @Test
    void anIsolationCanBeChosen() throws IOException {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        Path work = Files.createDirectories(folder.resolve("work"));
        Path file = Files.writeString(folder.resolve("a.txt"), "content");
        InProcess cli = new InProcess(folder);

        InProcess.CliResult in =
                cli.run("cp", "--isolation", "workspace", "--cwd", work.toString(), file.toString(), ":b.txt");

        assertThat(in.exit()).as(in.err()).isZero();
        assertThat(work.resolve("b.txt")).hasContent("content");
        assertThat(cli.run("cp", "--isolation", "closed", "ssh:/a", "b").err()).contains("Write :PATH");
    }

    @Test
    void whatWouldBeGoneAtOnceIsNotCopied() throws IOException {
        Optional<String> image = Testbed.value("DOCKER_IMAGE");
        Assumptions.assumeTrue(image.isPresent(), () -> Testbed.whyMissing("docker"));
        Path file = Files.writeString(folder.resolve("a.txt"), "content");
        String[] docker = {"--backend-option", "image=" + image.get()};
        String[] kept = {"--backend-option", "persistent=true", "--backend-option", "sandbox-dir=" + folder};

        for (String to : List.of("docker:/tmp/a", "docker:a", "docker:~/a")) {
            InProcess.CliResult ended = copy(file.toString(), to, docker);
            assertThat(ended.exit()).as(to).isEqualTo(1);
            assertThat(ended.err()).contains("Nothing was copied").contains("persistent=true", "container=NAME");
        }
        for (String to : List.of("docker:a", "docker:~/a")) {
            InProcess.CliResult ended = copy(file.toString(), to, docker, kept);
            assertThat(ended.exit()).as(ended.err()).isZero();
        }
        assertThat(folder.resolve("docker/default/workspace/a")).hasContent("content");
        assertThat(folder.resolve("docker/default/home/a")).hasContent("content");
        assertThat(copy("docker:/etc/hostname", folder.resolve("name").toString(), docker)
                        .exit())
                .isZero();
        Testbed.value("DOCKER_CONTAINER").ifPresent(container -> {
            String name = "/tmp/talaria-cp-" + ProcessHandle.current().pid();
            String[] entered = {"--backend-option", "container=" + container};
            assertThat(copy(file.toString(), "docker:" + name, entered).exit()).isZero();
            InProcess.CliResult removed = new InProcess(folder)
                    .run("sh", "--backend", "docker", "--backend-option", "container=" + container, "--", "rm " + name);
            assertThat(removed.exit()).as(removed.err()).isZero();
        });
    }

    private InProcess.CliResult copy(String from, String to, String[]... options) {
        List<String> args = new ArrayList<>(List.of("cp", from, to));
        for (String[] some : options) {
            args.addAll(List.of(some));
        }
        return new InProcess(folder).run(args.toArray(String[]::new));
    }

    @Test
    void anIsolatedSandboxsOwnFoldersKeepNothing() throws IOException {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        Path work = Files.createDirectories(folder.resolve("work"));
        Path file = Files.writeString(folder.resolve("a.txt"), "content");
        InProcess cli = new InProcess(folder);

        for (String to : List.of(":/tmp/x", ":~/x", ":../x")) {
            InProcess.CliResult ended =
                    cli.run("cp", "--isolation", "workspace", "--cwd", work.toString(), file.toString(), to);
            assertThat(ended.exit()).as(to).isEqualTo(1);
            assertThat(ended.err()).contains("Nothing was copied").contains("below " + work);
        }
    }
}
