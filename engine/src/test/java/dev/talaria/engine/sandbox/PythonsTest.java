package dev.talaria.engine.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonsTest {
    @TempDir
    private Path folder;

    private Path python;
    private Pythons pythons;

    @BeforeEach
    void noVenvYet() {
        python = folder.resolve("venv/bin/python");
        Map<String, String> environment =
                Map.of("VIRTUAL_ENV", folder.resolve("venv").toString());
        pythons = new Pythons(environment, Map.of(), Folders.below(folder));
    }

    private void make(String script) throws IOException {
        Files.createDirectories(python.resolveSibling("."));
        Files.deleteIfExists(python);
        Files.writeString(python, script);
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aVenvMadeLaterIsFound() throws IOException {
        assertThat(pythons.ofProject()).isEmpty();
        make("#!/bin/sh\nexit 1\n");
        assertThat(pythons.ofProject()).isEmpty();
        Files.delete(python);
        Files.createSymbolicLink(python, Path.of("/usr/bin/python3"));

        assertThat(pythons.ofProject()).contains(python);
    }

    @Test
    void anInterpreterIsAskedOnce() throws IOException {
        Path asked = folder.resolve("asked");
        make("#!/bin/sh\necho x >> " + asked + "\nexec /usr/bin/python3 \"$@\"\n");

        assertThat(pythons.ofProject()).contains(python);
        assertThat(pythons.ofProject()).contains(python);
        assertThat(asked).hasContent("x");
    }
}
