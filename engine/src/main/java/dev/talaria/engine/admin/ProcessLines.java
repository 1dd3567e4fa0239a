package dev.talaria.engine.admin;

import java.util.List;

/// Lines that a process has printed.
///
/// @param lines the lines
/// @param total how many lines the process has printed in all
public record ProcessLines(List<String> lines, long total) {
    public ProcessLines {
        lines = List.copyOf(lines);
    }
}
