package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.util.List;

/// Measures the cost of isolation for a warm run: next to nothing, since each sandbox pays for it
/// once.
final class HelloBubblewrap implements Row {

    @Override
    public String name() {
        return "hello-bubblewrap";
    }

    @Override
    public String what() {
        return "the same hello in bubblewrap; floor: the warm local run, not isolated";
    }

    @Override
    public double bound() {
        return 1.15;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (RemoteSandbox bubblewrap = RemoteSandbox.bubblewrap();
                Engine local = Engine.builder().settings(context.settings()).build();
                Engine isolated = Engine.builder()
                        .settings(context.settings())
                        .backend(bubblewrap.backend(), bubblewrap.options())
                        .build()) {
            List<Sample> samples = Pairs.alternate(
                    context.warmUp(),
                    context.pairs(),
                    Pairs.timed(() -> Scripts.hello(local)),
                    Pairs.timed(() -> Scripts.hello(isolated)));
            return Measurement.of(samples.get(0), samples.get(1));
        }
    }
}
