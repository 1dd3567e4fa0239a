package dev.talaria.bench;

import java.util.ArrayList;
import java.util.List;

/// Measures several things by turns, so that other load on the machine affects them equally.
final class Pairs {

    private Pairs() {}

    /// Does one thing once.
    @FunctionalInterface
    interface Probe {
        /// Returns how long it took, in nanoseconds.
        long nanos() throws Exception;
    }

    /// Does something that is timed from outside.
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static Probe timed(Action action) {
        return () -> {
            long began = System.nanoTime();
            action.run();
            return System.nanoTime() - began;
        };
    }

    /// Returns a sample for each probe, in their order.
    static List<Sample> alternate(int warmUp, int rounds, Probe... probes) throws Exception {
        List<List<Long>> took = new ArrayList<>();
        for (Probe _ : probes) {
            took.add(new ArrayList<>());
        }
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < probes.length; i++) {
                long nanos = probes[i].nanos();
                if (round >= 0) {
                    took.get(i).add(nanos);
                }
            }
        }
        return took.stream().map(Sample::of).toList();
    }

    static Sample measure(int warmUp, int rounds, Probe probe) throws Exception {
        return alternate(warmUp, rounds, probe).getFirst();
    }
}
