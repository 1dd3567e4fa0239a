package dev.talaria.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reason of a failure")
final class ReasonTest {
    @Test
    @DisplayName("is never empty, and names the file with what is wrong with it")
    void isAlwaysThere() {
        assertThat(Reason.of(new NoSuchFileException("/a"))).isEqualTo("/a: no such file or folder");
        assertThat(Reason.of(new AccessDeniedException("/a"))).isEqualTo("/a: permission denied");
        assertThat(Reason.of(new FileSystemException("/a", null, "No space left on device")))
                .isEqualTo("/a: No space left on device");
        assertThat(Reason.of(new UncheckedIOException(new IOException("No space left on device"))))
                .isEqualTo("No space left on device");
        assertThat(Reason.of(new ClosedChannelException())).isEqualTo("closed channel");
        assertThat(Reason.of(new IOException())).isEqualTo("input or output failed");
        assertThat(Reason.of(new IOException(" "))).isEqualTo("input or output failed");
        assertThat(Reason.of(new IllegalStateException("bang"))).isEqualTo("illegal state: bang");
    }
}
