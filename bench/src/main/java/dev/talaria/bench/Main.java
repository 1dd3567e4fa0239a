package dev.talaria.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The main class of `./talaria bench`.
public final class Main {
    private static final List<Row> ROWS = List.of(
            new HelloJava(),
            new HelloMcp(),
            new TerminalEcho(),
            new NestedRead(),
            Nested64.threads(),
            Nested64.asyncio(),
            Flood.lines(),
            Flood.blocks(),
            new Batch(),
            new HelloBubblewrap(),
            HelloRemote.docker(),
            HelloRemote.ssh(),
            HelloRemote.apptainer(),
            HelloRemote.gvisor(),
            NestedRemote.docker(),
            NestedRemote.ssh(),
            NestedRemote.manyOverSsh(),
            new TerminalRemote(),
            new Upload(),
            Crowd.bubblewrap(),
            Crowd.docker(),
            new ProcessPoll(),
            GateBench.corpus(),
            GateBench.hostile(),
            new Cold());

    private Main() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("talaria.home", "."));
        // In UTF-8, whatever the platform's charset: a table contains µ.
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(run(List.of(args), home, out, System.err));
    }

    /// Runs the command line and returns the exit code.
    static int run(List<String> args, Path home, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        Arguments arguments;
        List<Row> rows;
        try {
            arguments = Arguments.parse(args);
            rows = arguments.choose(ROWS);
        } catch (IllegalArgumentException e) {
            err.println("talaria bench: " + e.getMessage());
            return 2;
        }
        if (arguments.help()) {
            out.print(help());
            return 0;
        }
        Table table = measure(rows, home.toAbsolutePath().normalize(), arguments.pairs(), err);
        out.println(
                switch (arguments.format()) {
                    case TEXT -> table.text();
                    case JSON -> table.json();
                    case MARKDOWN -> table.markdown();
                });
        return table.ok() ? 0 : 1;
    }

    private static Table measure(List<Row> rows, Path home, int pairs, PrintStream err)
            throws IOException, InterruptedException {
        try (BenchContext context = BenchContext.open(home, pairs)) {
            Map<String, Object> machine = Machine.facts(context);
            List<Outcome> outcomes = new ArrayList<>();
            for (Row row : rows) {
                err.print(row.name() + "... ");
                err.flush();
                long began = System.nanoTime();
                Outcome outcome = Outcome.of(row, context);
                outcomes.add(outcome);
                err.println(outcome.verdict() + " (" + Table.time(System.nanoTime() - began) + ")");
            }
            machine.put("load_after", Machine.load());
            return new Table(machine, outcomes);
        }
    }

    private static String help() {
        StringBuilder rows = new StringBuilder();
        ROWS.forEach(row -> rows.append(String.format("  %-18s %s%n", row.name(), row.what())));
        return """
                Usage: ./talaria bench [ROW...] [--pairs N | --quick] [--json | --markdown]

                Measures what Talaria costs against the least it can cost, and prints a table with ratios. Rows (hello stands
                for all that begin with hello-):

                %s
                  --pairs N    pairs of floor and ours, by turns (500); long rows take a share of them
                  --quick      the same as --pairs 50
                  --json       for machines
                  --markdown   for docs/benchmarks.md

                Exit: 0 all rows are within their bounds, 1 one is not or did not work, 2 usage.
                Example: ./talaria bench hello-java nested --quick
                """.formatted(rows);
    }
}
