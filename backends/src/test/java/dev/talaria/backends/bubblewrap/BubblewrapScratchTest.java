package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.HostView;
import dev.talaria.api.SandboxSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The scratch folder of a bubblewrap sandbox")
final class BubblewrapScratchTest {
    @TempDir
    Path folder;

    private final SandboxSpec spec =
            new SandboxSpec("0123456789ab", Map.of(), Optional.empty(), Map.of(), Optional.empty(), HostView.NONE);

    @Test
    @DisplayName("is removed with the links in it")
    void removesLinks() throws Exception {
        Files.writeString(folder.resolve("thesis"), "years of work");
        BubblewrapScratch scratch = BubblewrapScratch.create(spec, BubblewrapBackend.Profile.WORKSPACE);
        Files.createSymbolicLink(scratch.home().resolve("link"), folder);
        scratch.remove();
        assertThat(scratch.root()).doesNotExist();
        assertThat(folder.resolve("thesis")).exists();
    }

    @Test
    @DisplayName("is not followed if it is a link")
    void followsNoLink() throws Exception {
        Files.writeString(folder.resolve("thesis"), "years of work");
        Path link = Files.createSymbolicLink(folder.resolve("talaria-x"), folder);
        new BubblewrapScratch(link).remove();
        assertThat(folder.resolve("thesis")).exists();
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }
}
