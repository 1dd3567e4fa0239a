package dev.talaria.engine.gate.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the gate says about commands, against what bash does with them.
///
/// System properties: `talaria.differential.count` commands are made from `talaria.differential.seed`; 100
/// 000 is the long form. Lists of what was wrong are in `target/differential-*.txt`.
final class DifferentialTest {
    private static final int COUNT = Integer.getInteger("talaria.differential.count", 3_000);
    private static final long SEED = Long.getLong("talaria.differential.seed", 9L);
    private static final int LEAST_REACHED = COUNT / (COUNT < 100_000 ? 600 : 200);
    private static final int MOST_SHOWN = 20;
    private static final double MOST_ASKED = 0.15;

    private final Path home = Folders.home();

    @TempDir
    private Path folder;

    @BeforeEach
    void skipWithoutBox() throws IOException {
        Optional<String> missing = Box.missing(Files.createDirectory(folder.resolve("first")), home);
        assumeTrue(missing.isEmpty(), () -> "no commands are run against bash: " + missing.orElse(""));
    }

    @Test
    void everyLeafIsAskedAboutAndReachedWhenBare() throws IOException {
        Judge judge = new Judge(folder, home.resolve("work"));
        List<String> wrong = new ArrayList<>();
        try (Box box = Box.open(folder, home)) {
            Grammar.read(home.toString()).dangerous().values().stream()
                    .flatMap(List::stream)
                    .map(leaf -> leaf.piece().text())
                    .filter(command -> judge.lets(command) || !box.run(command).reached())
                    .forEach(wrong::add);
            Grammar.read(home.toString()).harmless().values().stream()
                    .flatMap(List::stream)
                    .map(leaf -> leaf.piece().text())
                    .filter(command -> !judge.lets(command) || box.run(command).reached())
                    .forEach(wrong::add);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whatTheGateLetsThroughReachesNoLeaf() throws Exception {
        Grammar grammar = Grammar.read(home.toString());
        Tally tally = new Tally(grammar.reaching().keySet());
        new Comparison(home, folder).run(new Generator(grammar, SEED), COUNT, tally);
        String numbers = "Differential: %d commands, seed %d%n%s".formatted(COUNT, SEED, tally.numbers());
        write("offenders", numbers, tally.passed());
        write("overasked", numbers, tally.overasked());
        write("missed", numbers, tally.missed());
        System.out.println(numbers);
        tally.passed().stream().limit(MOST_SHOWN).forEach(System.out::println);

        assertThat(tally.passed().size())
                .as("let through, and reached their leaf")
                .isZero();
        assertThat(tally.reached())
                .allSatisfy((id, times) -> assertThat(times).as(id).isGreaterThanOrEqualTo(LEAST_REACHED));
        assertThat(tally.askedShare()).isLessThanOrEqualTo(MOST_ASKED);
    }

    private static void write(String name, String numbers, List<Tally.Finding> findings) throws IOException {
        Files.createDirectories(Path.of("target"));
        Files.writeString(
                Path.of("target", "differential-" + name + ".txt"),
                numbers + "\n\n" + Tally.grouped(findings, name.equals("missed") ? 5 : 3) + "\n");
    }
}
