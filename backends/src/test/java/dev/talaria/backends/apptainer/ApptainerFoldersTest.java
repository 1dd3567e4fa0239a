package dev.talaria.backends.apptainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests that do not need Apptainer.
class ApptainerFoldersTest {
    @TempDir
    Path folder;

    private ApptainerFolders folders(Map<String, String> options, Map<String, String> host) {
        return ApptainerFolders.of(
                Options.of(new ApptainerBackend(), new SandboxSpec(options)), folder.resolve("scratch"), host);
    }

    @Test
    void theChosenScratchFolderCountsFirst() {
        Path chosen = folder.resolve("a/chosen");

        ApptainerFolders folders = folders(Map.of("scratch", chosen.toString()), Map.of());

        assertThat(folders.scratch()).isEqualTo(chosen).isDirectory();
        assertThat(folders.cache()).isEqualTo(chosen.resolve(".apptainer"));
    }

    @Test
    void aNodesOwnScratchFolderIsUsedWhereThereIsOne() throws Exception {
        Files.createDirectory(folder.resolve("scratch"));

        assertThat(folders(Map.of(), Map.of("USER", "ada")).scratch()).isEqualTo(folder.resolve("scratch/ada/talaria"));
    }

    @Test
    void otherwiseTheUsersCacheIs() {
        Path cache = folder.resolve("cache");
        Map<String, String> host = Map.of(
                "XDG_CACHE_HOME",
                cache.toString(),
                "APPTAINER_CACHEDIR",
                folder.resolve("sif").toString());

        assertThat(folders(Map.of(), host).scratch()).isEqualTo(cache.resolve("talaria/sandboxes"));
        assertThat(folders(Map.of(), host).cache()).isEqualTo(folder.resolve("sif"));
    }

    @Test
    void whatALinkPointsToIsNeitherUsedNorRemoved() throws Exception {
        Path precious = Files.createDirectory(folder.resolve("precious"));
        Files.writeString(precious.resolve("thesis"), "years of work");
        var modes = Files.getPosixFilePermissions(precious);
        ApptainerFolders folders =
                folders(Map.of("scratch", folder.resolve("all").toString()), Map.of());
        Path kept = Files.createSymbolicLink(folders.keptOf("session"), precious);

        assertThatThrownBy(() -> folders.kept("session"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining(kept + " is left alone: it is a link");
        ApptainerFolders.delete(kept);

        assertThat(precious.resolve("thesis")).hasContent("years of work");
        assertThat(Files.getPosixFilePermissions(precious)).isEqualTo(modes);
        assertThat(Files.isSymbolicLink(kept)).isTrue();
    }

    @Test
    void aSandboxesFilesAreRemovedWithTheLinksInThem() throws Exception {
        Path precious = Files.createDirectory(folder.resolve("precious"));
        Files.writeString(precious.resolve("thesis"), "years of work");
        ApptainerFolders folders =
                folders(Map.of("scratch", folder.resolve("all").toString()), Map.of());
        ApptainerFolders.Own own = folders.temporary("talaria-x");
        Files.createSymbolicLink(own.work().resolve("home"), precious);

        own.release();

        assertThat(own.top()).doesNotExist();
        assertThat(precious.resolve("thesis")).exists();
    }

    @ParameterizedTest
    @CsvSource({
        "docker://python:3.12, python-3.12-",
        "docker://a/b/name:tag, a-b-name-tag-",
        "library://x/y, x-y-",
    })
    void imagesHaveNamesThatTellThemApart(String image, String start) {
        assertThat(ApptainerImage.fileName(image)).startsWith(start).endsWith(".sif");
        assertThat(ApptainerImage.fileName(image)).isNotEqualTo(ApptainerImage.fileName(image + "x"));
    }

    @ParameterizedTest
    @CsvSource({
        "network, bridge",
        "memory, much",
        "cpus, x",
        "persistent, perhaps",
        "volumes, /etc",
        "volumes, /etc:/x:rx",
        "volumes, /no/such:/x",
        "image, -x"
    })
    void wrongValuesAreRefusedByName(String option, String value) {
        SandboxSpec spec =
                new SandboxSpec(option.equals("image") ? Map.of(option, value) : Map.of("image", "/x", option, value));

        assertThatThrownBy(() -> new ApptainerBackend().open(spec).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining(option);
    }

    @Test
    void aMissingProgramIsNamedWithWhatToDo() {
        SandboxSpec spec = new SandboxSpec(Map.of("image", "/x", "binary", "/no/such/apptainer"));

        assertThatThrownBy(() -> new ApptainerBackend().open(spec).close())
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("/no/such/apptainer")
                .hasMessageContaining("Install");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FATAL: squashfuse not found | squashfuse",
                "FATAL: failed to create user namespace: not allowed | user namespaces",
                "open /dev/fuse: permission denied | modprobe fuse",
                "write: no space left on device | full",
            })
    void whatApptainerLacksIsSaidInWords(String said, String step) {
        assertThat(ApptainerDiagnosis.explain("apptainer", "x.sif", said, said))
                .contains(step)
                .contains(said);
    }
}
