package dev.talaria.engine.gate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.gate.rules.Rule;
import dev.talaria.engine.gate.rules.RuleTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a command means depends on where it runs and on what was set before.
final class ShellContextTest {
    private static final RuleTable HARD = RuleTable.hard();

    private static ShellContext in(String folder) {
        return ShellContext.at(() -> Optional.of(folder));
    }

    private static List<String> hard(String command, ShellContext where) {
        return HARD.judge(Reading.of(command, where)).rules().stream()
                .map(Rule::key)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "/, rm -rf *",
        "/, rm -rf .",
        "/, rm -rf etc",
        "/, rm -rf ./usr/",
        "/, find -delete",
        "/, find . -delete",
        "/tmp, rm -rf ../*",
        "/home/me, rm -rf *",
        "/home/me, rm -rf ~+",
        "/home/me/project, rm -rf ..",
        "/home/me/project, cd .. && rm -rf *",
        "/home, rm -rf me",
        "/root, rm -rf ./*",
        "/usr/local, cd ../..; rm -rf etc",
    })
    void relativePathsAreThoseOfTheFolder(String folder, String command) {
        assertThat(hard(command, in(folder))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/home/me/project, rm -rf *",
        "/home/me/project, rm -rf .",
        "/home/me, rm -rf build",
        "/home/me, rm -rf project/*",
        "/tmp, rm -rf *",
        "/, rm -rf tmp/x",
        "/, rm -f notes.txt",
        "/, (cd /tmp && rm -rf *)",
        "/, bash -c 'cd /tmp; rm -rf *'",
        "/home/me/project, (cd /) ; rm -rf *",
        "/home/me/project, rm -rf $(mktemp -d)/*",
    })
    void othersAreLeftToAPerson(String folder, String command) {
        assertThat(hard(command, in(folder))).isEmpty();
    }

    @Test
    void whatEarlierCommandsSetCounts() {
        ShellContext where = in("/srv").with(Map.of("X", "/", "Y", "rm -rf"));

        assertThat(hard("rm -rf $X", where)).isNotEmpty();
        assertThat(hard("$Y /", where)).isNotEmpty();
        assertThat(hard("X=build; rm -rf $X", where)).isEmpty();
    }

    @Test
    void aSessionKeepsExportsAndAShellKeepsMore() {
        Reading reading =
                Reading.of("export A=/; B=/; declare -x C=/; D=/; export D; E=1; unset A; alias r='rm -rf'; cd /");

        assertThat(reading.exports()).containsOnlyKeys("C", "D");
        assertThat(reading.after().variables()).containsKeys("B", "C", "D", "E").doesNotContainKey("A");
        assertThat(reading.after().folder().get()).contains("/");
        assertThat(hard("r $B", reading.after())).isNotEmpty();
        assertThat(hard("rm -rf *", reading.after())).isNotEmpty();
    }

    @Test
    void theFolderIsAskedForOnlyWhereItMatters() {
        ShellContext nobody = ShellContext.at(() -> {
            throw new IllegalStateException("asked");
        });

        assertThat(Reading.of("cd src && ls -l | grep x", nobody).unreadable()).isEmpty();
    }
}
