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
    public Measured measure(BenchContext yard) throws Exception {
        try (ForkFloor floor = new ForkFloor(yard);
                Engine engine = Engine.builder().settings(yard.settings()).build()) {
            List<Sample> samples =
                    Pairs.alternate(yard.warmUp(), yard.pairs(), floor, Pairs.timed(() -> Scripts.hello(engine)));
            return Measured.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, yard.rounds(20), ForkFloor.cold(yard)));
        }
    }
}
