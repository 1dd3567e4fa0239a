package dev.talaria.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnUserTest {

    @Test
    void ownFilesAreItsOwn(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(Files.getOwner(file)).isEqualTo(OwnUser.principal());
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(OwnUser.uid());
    }
}
