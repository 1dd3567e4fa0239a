package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The result of a command, as far as it is known.
///
/// @param output what the command prints; marks stand for unknown parts
/// @param lines the commands that it consists of
/// @param moved the folder that it may have changed to
record Outcome(Status status, String output, List<String> lines, Optional<Moved> moved) {

    enum Status {
        YES,
        NO,
        MAYBE;

        Status not() {
            return switch (this) {
                case YES -> NO;
                case NO -> YES;
                case MAYBE -> MAYBE;
            };
        }

        static Status of(boolean yes) {
            return yes ? YES : NO;
        }
    }

    /// A change of folder, which may fail.
    record Moved(String from, String to) {}

    /// The outcome of a command that prints nothing, and that may fail.
    static final Outcome SILENT = nothing(Status.MAYBE);

    static Outcome of(Status status, String output, String line) {
        return new Outcome(status, output, List.of(line), Optional.empty());
    }

    static Outcome nothing(Status status) {
        return new Outcome(status, "", List.of(), Optional.empty());
    }

    Outcome with(Status newStatus) {
        return new Outcome(newStatus, output, lines, Optional.empty());
    }

    /// Returns this outcome with an unknown status.
    Outcome unsure() {
        return new Outcome(Status.MAYBE, output, lines, moved);
    }

    Outcome printing(String newOutput) {
        return new Outcome(status, newOutput, lines, moved);
    }

    /// Returns the outcome if either this or another way was taken.
    Outcome or(Outcome other, UnknownValues marks) {
        List<String> all = new ArrayList<>(lines);
        all.addAll(other.lines);
        Status both = status == other.status ? status : Status.MAYBE;
        return new Outcome(both, marks.choice(List.of(output, other.output)), all, Optional.empty());
    }

    /// Returns the commands as one member of a pipeline.
    String line() {
        return lines.size() == 1 ? lines.getFirst() : "(" + String.join("; ", lines) + ")";
    }
}
