package dev.talaria.engine.gate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.gate.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RuleTableTest {
    private static final RuleTable HARD = RuleTable.hard();
    private static final RuleTable DANGEROUS = RuleTable.dangerous();

    static List<PatternTable.Case> cases() {
        return PatternTable.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aRuleMatchesWhatItShouldAndNothingNear(PatternTable.Case one) {
        assertThat(keys(one.command()).contains(one.key()))
                .as("%s: %s reads as %s", one.key(), one.command(), Reading.of(one.command()))
                .isEqualTo(one.matches());
    }

    @Test
    void everyRuleHasBothKindsOfCases() {
        Set<String> keys = Stream.of(HARD, DANGEROUS)
                .flatMap(table -> table.rules().stream())
                .map(Rule::key)
                .collect(Collectors.toSet());

        assertThat(tested(true)).isEqualTo(keys);
        assertThat(tested(false)).isEqualTo(keys);
        assertThat(DANGEROUS.rules()).allSatisfy(rule -> {
            assertThat(rule.why()).endsWith(".");
            assertThat(rule.match())
                    .isNotEmpty()
                    .allSatisfy(pattern -> assertThat(pattern.compiled()).isNotNull());
        });
    }

    private static Set<String> tested(boolean matches) {
        return cases().stream()
                .filter(one -> one.matches() == matches)
                .map(PatternTable.Case::key)
                .collect(Collectors.toSet());
    }

    @Test
    void ordinaryCommandsAreLeftAlone() {
        List<String> ordinary = PatternTable.lines("ordinary.txt");
        List<String> asking = PatternTable.lines("asking.txt");

        assertThat(ordinary.size() + asking.size()).isGreaterThanOrEqualTo(300);
        List<String> asked = new ArrayList<>();
        ordinary.forEach(command -> {
            if (!keys(command).isEmpty()) {
                asked.add(command + " " + keys(command));
            }
        });
        assertThat(asked).hasSizeLessThan(ordinary.size() / 50);
    }

    @ParameterizedTest
    @MethodSource("asking")
    void someOrdinaryCommandsAreAskedAbout(String command) {
        assertThat(DANGEROUS.judge(Reading.of(command)).rules()).isNotEmpty();
        assertThat(HARD.judge(Reading.of(command)).rules()).isEmpty();
    }

    static List<String> asking() {
        return PatternTable.lines("asking.txt");
    }

    @ParameterizedTest
    @MethodSource("bypasses")
    void noWayAroundTheHardFloor(String command) {
        assertThat(HARD.judge(Reading.of(command)).rules())
                .as("%s", Reading.of(command))
                .isNotEmpty();
    }

    static List<String> bypasses() {
        return PatternTable.lines("bypasses.txt");
    }

    @ParameterizedTest
    @MethodSource("misleading")
    void noCommandMisleadsTheReader(String command) {
        Reading reading = Reading.of(command);
        boolean asked = !DANGEROUS.judge(reading).rules().isEmpty()
                || !reading.unknown().isEmpty();
        assertThat(asked).as("%s", reading).isTrue();
    }

    static List<String> misleading() {
        return PatternTable.lines("misleading.txt");
    }

    @ParameterizedTest
    @MethodSource("near")
    void theHardFloorIsNoHigherThanItMustBe(String command) {
        assertThat(HARD.judge(Reading.of(command)).rules())
                .as("%s", Reading.of(command))
                .isEmpty();
        assertThat(Reading.of(command).unreadable()).isEmpty();
    }

    static List<String> near() {
        return PatternTable.lines("near.txt");
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void nothingHidesBehindAHostileText(String hostile) {
        Reading reading = Reading.of(hostile + "\nrm -rf /");
        RuleTable.Judgement judgement = HARD.judge(reading);

        assertThat(reading.unreadable().isPresent()
                        || judgement.unfinished()
                        || judgement.rules().stream()
                                .anyMatch(rule -> rule.key().equals("root delete")))
                .as("%s...", hostile.substring(0, 20))
                .isTrue();
    }

    static List<String> hostile() {
        return HostileTexts.all(120_000);
    }

    /// Returns the keys of the rules about a command, or about a change of a file that is written as one.
    private static Set<String> keys(String command) {
        boolean change = command.matches("(?:write|delete) [/~].*");
        Reading reading = Reading.of(command);
        return Stream.of(HARD, DANGEROUS)
                .map(table -> change ? table.judgeChange(command) : table.judge(reading))
                .flatMap(judgement -> judgement.rules().stream())
                .map(Rule::key)
                .collect(Collectors.toSet());
    }
}
