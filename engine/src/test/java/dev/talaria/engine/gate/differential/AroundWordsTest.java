package dev.talaria.engine.gate.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands that got past the gate once, since a word in them becomes something else than the reader took it for.
/// In a real bash each of them deletes, throws away, or writes where it must not.
final class AroundWordsTest {
    @TempDir
    private Path folder;

    @Test
    void asksAboutEach() throws IOException {
        Judge judge = new Judge(folder, Path.of("/srv/project"));
        assertThat(commands().filter(judge::lets)).isEmpty();
    }

    private static Stream<String> commands() throws IOException {
        try (InputStream in = Objects.requireNonNull(AroundWordsTest.class.getResourceAsStream("around-words.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
        }
    }
}
