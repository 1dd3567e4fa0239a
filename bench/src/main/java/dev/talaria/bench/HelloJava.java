package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.util.List;

/// Measures a warm run of a one-line script, called from Java.
final class HelloJava implements Row {

    @Override
    public String name() {
        return "hello-java";
    }

    @Override
    public String what() {
        return "execute_code of print(\"hi\"), warm, Java API; floor: fork of a warm Python; plain: python3 script.py";
    }

    @Override
    public double bound() {
        return 2;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (ForkFloor floor = new ForkFloor(context);
                Engine engine = Engine.builder().settings(context.settings()).build()) {
            List<Sample> samples =
                    Pairs.alternate(context.warmUp(), context.pairs(), floor, Pairs.timed(() -> Scripts.hello(engine)));
            return Measurement.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, context.rounds(20), ForkFloor.cold(context)));
        }
    }
}
