package dev.talaria.bench;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// The arguments of the command line.
///
/// @param rows the given names; none means all rows
/// @param pairs the number of pairs of floor and ours to measure
record Arguments(List<String> rows, int pairs, Format format, boolean help) {
    private static final int STANDARD = 500;
    private static final int QUICK = 50;

    /// The format of the results.
    enum Format {
        TEXT,
        JSON,
        MARKDOWN
    }

    static Arguments parse(List<String> arguments) {
        List<String> rows = new ArrayList<>();
        int pairs = STANDARD;
        Format format = Format.TEXT;
        boolean help = false;
        Iterator<String> left = arguments.iterator();
        while (left.hasNext()) {
            String argument = left.next();
            switch (argument) {
                case "--quick" -> pairs = QUICK;
                case "--pairs" -> pairs = number(left);
                case "--json" -> format = Format.JSON;
                case "--markdown" -> format = Format.MARKDOWN;
                case "--help", "-h" -> help = true;
                default -> {
                    if (argument.startsWith("-")) {
                        throw new IllegalArgumentException("There is no option " + argument + ". See --help.");
                    }
                    rows.add(argument);
                }
            }
        }
        return new Arguments(List.copyOf(rows), pairs, format, help);
    }

    private static int number(Iterator<String> left) {
        String text = left.hasNext() ? left.next() : "";
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException("--pairs needs a number, such as --pairs 100.");
        }
        return Integer.parseInt(text);
    }

    /// Returns the chosen rows: a name stands for itself and for all names that continue it after a
    /// dash.
    List<Row> choose(List<Row> all) {
        for (String name : rows) {
            if (all.stream().noneMatch(row -> stands(name, row))) {
                throw new IllegalArgumentException(
                        "There is no row " + name + ". Choose from " + Table.names(all) + ".");
            }
        }
        return all.stream()
                .filter(row -> rows.isEmpty() || rows.stream().anyMatch(name -> stands(name, row)))
                .toList();
    }

    private static boolean stands(String name, Row row) {
        return row.name().equals(name) || row.name().startsWith(name + "-");
    }
}
