package dev.talaria.bench;

/// One row of the speed table: something we do, the least it can cost, and how much more it may.
interface Row {

    /// Returns the name it is chosen by on the command line.
    String name();

    /// Returns what is measured, against what, in a line.
    String what();

    /// Returns how many times its floor ours may take.
    double bound();

    /// Measures floor and ours.
    ///
    /// @throws Unavailable if this machine lacks what the row needs
    Measured measure(Yard yard) throws Exception;

    /// This machine lacks what a row needs; the message says what.
    final class Unavailable extends Exception {
        private static final long serialVersionUID = 1;

        Unavailable(String message) {
            super(message);
        }
    }
}
