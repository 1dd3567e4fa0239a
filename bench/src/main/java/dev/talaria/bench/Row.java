package dev.talaria.bench;

/// One row of the speed table: an action of ours, its lowest possible cost, and how much more it may
/// cost.
interface Row {

    /// Returns the name on the command line.
    String name();

    /// Returns, in a line, what is measured against what.
    String what();

    /// Returns the largest allowed ratio of ours to the floor.
    double bound();

    /// Measures floor and ours.
    ///
    /// @throws Unavailable if this machine lacks something that the row needs
    Measurement measure(BenchContext context) throws Exception;

    /// Thrown if this machine lacks something that a row needs; the message says what.
    final class Unavailable extends Exception {
        private static final long serialVersionUID = 1;

        Unavailable(String message) {
            super(message);
        }
    }
}
