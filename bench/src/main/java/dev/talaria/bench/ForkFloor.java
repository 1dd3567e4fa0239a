package dev.talaria.bench;

import java.io.IOException;
import java.util.List;

/// Measures the lowest cost of a run: `bench/floors/fork.py`, which measures itself.
final class ForkFloor implements AutoCloseable, Pairs.Probe {
    private final Child child;

    ForkFloor(BenchContext yard) throws IOException {
        child = new Child(yard.python("fork.py", yard.floor("hello.py").toString()), yard);
    }

    @Override
    public long nanos() throws IOException {
        return Long.parseLong(child.ask(""));
    }

    /// Returns the plain way to run a script: start an interpreter for it.
    static Pairs.Probe cold(BenchContext yard) {
        List<String> argv =
                List.of(yard.python().toString(), yard.floor("hello.py").toString());
        return Pairs.timed(() -> Child.run(argv, yard, ""));
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}
