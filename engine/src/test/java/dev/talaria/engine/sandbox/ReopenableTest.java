package dev.talaria.engine.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Patience;
import org.junit.jupiter.api.Test;

final class ReopenableTest {

    @Test
    void whoComesTooLateIsToldWhy() {
        Reopenable<String> opening = new Reopenable<>("test", () -> "open", _ -> true, _ -> {});
        assertThat(opening.await(Patience.endless())).isEqualTo("open");
        opening.release();
        opening.close("The session was ended.", Patience.endless());

        assertThatThrownBy(() -> opening.await(Patience.endless()))
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SANDBOX_LOST))
                .hasMessage("The session was ended.");
    }
}
