package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoldersTest {
    @TempDir
    Path temp;

    @Test
    void xdgVariablesCount() {
        Folders folders = Folders.of(
                Map.of("XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "/s", "XDG_CACHE_HOME", "/k", "HOME", "/h"));

        assertThat(folders).isEqualTo(new Folders(Path.of("/c/talaria"), Path.of("/s/talaria"), Path.of("/k/talaria")));
        assertThat(folders.configFile()).isEqualTo(Path.of("/c/talaria/talaria.yaml"));
    }

    @Test
    void withoutThemHomeCountsAndRelativeOnesDoNot() {
        Folders folders = Folders.of(Map.of("HOME", "/h", "XDG_CONFIG_HOME", "relative", "XDG_STATE_HOME", ""));

        assertThat(folders)
                .isEqualTo(new Folders(
                        Path.of("/h/.config/talaria"),
                        Path.of("/h/.local/state/talaria"),
                        Path.of("/h/.cache/talaria")));
    }

    @Test
    void sandboxesSeeTheirSpillsAndFileToolsNothingOfOurs() {
        Folders folders = Folders.below(temp);

        assertThat(folders.control()).contains(folders.config(), folders.audit(), folders.approvals());
        assertThat(folders.control()).noneMatch(folder -> folders.spills().startsWith(folder));
        assertThat(folders.ours()).contains(folders.config(), folders.cache());
        assertThat(folders.ours()).anyMatch(folder -> folders.spills().startsWith(folder));
    }

    @Test
    void foldersAreForTheirOwnerOnly() throws IOException {
        Path audit = Folders.create(Folders.below(temp).audit());

        assertThat(permissions(audit)).isEqualTo("rwx------");
        assertThat(permissions(audit.getParent())).isEqualTo("rwx------");
    }

    @Test
    void anOpenFolderIsClosed() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        Folders.create(folder);
        Folders.create(folder);

        assertThat(permissions(folder)).isEqualTo("rwx------");
    }

    @Test
    void aLinkToAFolderIsFine() throws IOException {
        Path real = Files.createDirectory(temp.resolve("real"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), real);

        assertThat(Folders.create(link)).isEqualTo(link);
        assertThat(Folders.create(link.resolve("below"))).isDirectory();
    }

    @Test
    void aFileInTheWayIsNamed() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "");

        assertThatThrownBy(() -> Folders.create(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in the way");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
