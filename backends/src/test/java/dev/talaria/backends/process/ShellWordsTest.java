package dev.talaria.backends.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.SandboxException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {

    @Test
    void wordsAreSplitAsInAShell() {
        assertThat(ShellWords.split("  kubectl exec -i 'my pod' \"a \\\"b\\\" \\c\" x\\ y '' -- "))
                .containsExactly("kubectl", "exec", "-i", "my pod", "a \"b\" \\c", "x y", "", "--");
    }

    @Test
    void partsOfAWordJoin() {
        assertThat(ShellWords.split("a'b c'\"d\"e")).containsExactly("ab cde");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a 'b", "a \"b", "", "   "})
    void whatIsNoListOfWordsIsRefused(String line) {
        assertThatThrownBy(() -> ShellWords.split(line)).isInstanceOf(SandboxException.class);
    }

    @Test
    void whatIsQuotedIsSplitAgain() {
        List<String> words =
                List.of("plain", "", "it's", "a b", "$x `y`", "line\nbreak", "back\\slash", "ü", "-n", "\"");

        assertThat(ShellWords.split(ShellWords.quote(words))).isEqualTo(words);
        assertThat(ShellWords.quote("plain/path-1.txt")).isEqualTo("plain/path-1.txt");
    }
}
