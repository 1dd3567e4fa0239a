package dev.talaria.bench;

import java.util.ArrayList;
import java.util.List;

/// The outcome of measuring a row.
sealed interface Outcome {
    Row row();

    /// Returns its word in the table.
    String verdict();

    /// Returns further remarks.
    List<String> remarks();

    /// Returns whether the whole bench fails because of it.
    boolean failed();

    /// Floor and ours were measured.
    record Done(Row row, Measurement measured) implements Outcome {
        private boolean within() {
            return measured.ratio() <= row.bound();
        }

        @Override
        public String verdict() {
            return !within() ? "over" : measured.problems().isEmpty() ? "ok" : "leaks";
        }

        @Override
        public List<String> remarks() {
            List<String> all = new ArrayList<>(measured.problems());
            all.addAll(measured.notes());
            return all;
        }

        @Override
        public boolean failed() {
            return !within() || !measured.problems().isEmpty();
        }
    }

    /// The machine lacks something that the row needs.
    record Skipped(Row row, String reason) implements Outcome {
        @Override
        public String verdict() {
            return "skipped";
        }

        @Override
        public List<String> remarks() {
            return List.of(reason);
        }

        @Override
        public boolean failed() {
            return false;
        }
    }

    /// The row failed, so there is nothing to measure.
    record Broken(Row row, String reason) implements Outcome {
        @Override
        public String verdict() {
            return "broken";
        }

        @Override
        public List<String> remarks() {
            return List.of(reason);
        }

        @Override
        public boolean failed() {
            return true;
        }
    }

    /// Measures a row, and turns failures into outcomes.
    static Outcome of(Row row, BenchContext context) throws InterruptedException {
        try {
            return new Done(row, row.measure(context));
        } catch (Row.Unavailable e) {
            return new Skipped(row, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return new Broken(row, String.valueOf(e.getMessage()));
        }
    }
}
