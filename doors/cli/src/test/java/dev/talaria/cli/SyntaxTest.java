package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SyntaxTest {
    private final Syntax syntax = new Syntax(
            "try",
            "Tries. Twice.",
            List.of("FILE", "MORE..."),
            1,
            List.of(
                    Option.of("--limit", "N", "A limit."),
                    Option.repeated("--env", "NAME", "A name."),
                    Option.flag("--json", "JSON.")),
            List.of("talaria try x"));

    @Test
    void optionsMayStandAnywhereAndBeWrittenBothWays() {
        Arguments given = syntax.parse(List.of("--limit=3", "a", "--env", "X", "-", "--env=Y=Z", "--json"));

        assertThat(given.positionals()).containsExactly("a", "-");
        assertThat(given.value("--limit")).contains("3");
        assertThat(given.values("--env")).containsExactly("X", "Y=Z");
        assertThat(given.has("--json")).isTrue();
    }

    @Test
    void aValueMayBeEmptyOrNegative() {
        assertThat(syntax.parse(List.of("a", "--limit", "-3")).value("--limit")).contains("-3");
        assertThat(syntax.parse(List.of("a", "--limit", "")).value("--limit")).contains("");
    }

    @Test
    void anOptionIsNotTakenForTheValueOfAnother() {
        assertThatThrownBy(() -> syntax.parse(List.of("a", "--limit", "--json")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--limit needs a value: --limit N.");
    }

    @Test
    void helpNeedsNothingElse() {
        assertThat(syntax.parse(List.of("-h")).has("--help")).isTrue();
        assertThat(syntax.help()).startsWith("Usage: talaria try FILE [MORE...] [OPTIONS]\n\nTries. Twice.");
        assertThat(syntax.firstSentence()).isEqualTo("Tries.");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> syntax.parse(List.of())).hasMessage("FILE is missing.");
    }
}
