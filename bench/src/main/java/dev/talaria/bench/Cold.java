package dev.talaria.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Measures the wait of a user on the command line, from the start to a script's output.
final class Cold implements Row {
    private static final int MOST_PAIRS = 15;

    @Override
    public String name() {
        return "cold";
    }

    @Override
    public String what() {
        return "./talaria run hello.py, cold, after the first build; floor: java -version; plain: python3 hello.py";
    }

    @Override
    public double bound() {
        return 8;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        int pairs = Math.min(context.pairs(), MOST_PAIRS);
        List<Sample> samples = Pairs.alternate(
                2,
                pairs,
                Pairs.timed(() -> Child.run(List.of(java, "-version"), context, "")),
                Pairs.timed(() -> hello(context)));
        return Measurement.of(samples.get(0), samples.get(1))
                .withPlain(Pairs.measure(1, pairs, ForkFloor.cold(context)));
    }

    private static void hello(BenchContext context) throws IOException, InterruptedException {
        String said = Child.run(
                List.of(
                        context.launcher().toString(),
                        "run",
                        context.floor("hello.py").toString()),
                context,
                "");
        if (!said.contains("hi\n")) {
            throw new IOException("./talaria run hello.py printed " + said);
        }
    }
}
