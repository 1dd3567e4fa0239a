package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.GateEntries.Entry;
import dev.talaria.cli.GateEntries.Person;
import dev.talaria.cli.GateEntries.Situation;
import dev.talaria.engine.config.ApprovalMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every way in × every mode and person × every kind of command: the same gate decides about all of them. A new way
/// in is one more row in {@link GateEntries#all()}.
final class GateMatrixTest {
    @TempDir
    private Path folder;

    /// A command, and how to see that it ran. It does no harm if the gate allows it by mistake.
    enum Kind {
        HARMLESS("touch ran"),
        DANGEROUS("rm -rf victim; touch ran"),
        /// Sends signal 0 to every process: this has the form of a command that kills them all.
        HARD("kill -0 -1; touch ran");

        private final String command;

        Kind(String command) {
            this.command = command;
        }
    }

    static Stream<Arguments> all() {
        List<Situation> situations = new ArrayList<>(List.of(
                new Situation(ApprovalMode.ALLOW, Person.NOBODY), new Situation(ApprovalMode.DENY, Person.NOBODY)));
        for (Person person : Person.values()) {
            situations.add(new Situation(ApprovalMode.MANUAL, person));
            situations.add(new Situation(ApprovalMode.ASK, person));
        }
        return GateEntries.all().stream()
                .flatMap(entry -> situations.stream()
                        .flatMap(situation ->
                                Stream.of(Kind.values()).map(kind -> Arguments.of(entry, situation, kind))));
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @MethodSource("all")
    void oneGate(Entry entry, Situation situation, Kind kind) throws Exception {
        Path work = Files.createDirectory(folder.resolve("work")).toRealPath();
        Files.createDirectory(work.resolve("victim"));

        String told = entry.run(folder, work, situation, kind.command);

        boolean expected = mayRun(entry, situation, kind);
        assertThat(Files.exists(work.resolve("ran"))).as(told).isEqualTo(expected);
        if (!expected) {
            assertThat(told).contains("Do not retry");
        }
    }

    private static boolean mayRun(Entry entry, Situation situation, Kind kind) {
        boolean yes = situation.person() == Person.SAYS_YES;
        boolean scriptRuns = !entry.script() || situation.mode() != ApprovalMode.ASK || yes;
        boolean shellRuns = !entry.typed() || situation.mode() == ApprovalMode.ALLOW || yes;
        return scriptRuns
                && shellRuns
                && switch (kind) {
                    case HARMLESS -> true;
                    case HARD -> false;
                    case DANGEROUS ->
                        switch (situation.mode()) {
                            case ALLOW -> true;
                            case DENY -> false;
                            case MANUAL, ASK -> yes;
                        };
                };
    }
}
