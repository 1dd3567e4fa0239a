package dev.talaria.bench;

import java.io.IOException;
import java.util.List;

/// Measures the lowest cost of a run: `bench/floors/fork.py`, which measures itself.
final class ForkFloor implements AutoCloseable, Pairs.Probe {
    private final Child child;

    ForkFloor(BenchContext context) throws IOException {
        child = new Child(context.python("fork.py", context.floor("hello.py").toString()), context);
    }

    @Override
    public long nanos() throws IOException {
        return Long.parseLong(child.ask(""));
    }

    /// Returns the plain way to run a script: start an interpreter for it.
    static Pairs.Probe cold(BenchContext context) {
        List<String> argv =
                List.of(context.python().toString(), context.floor("hello.py").toString());
        return Pairs.timed(() -> Child.run(argv, context, ""));
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}
