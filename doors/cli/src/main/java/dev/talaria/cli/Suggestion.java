package dev.talaria.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// Suggests the name that was probably meant by one that does not exist.
final class Suggestion {
    private Suggestion() {}

    /// Returns " Did you mean 'x'?", or nothing if no name is close.
    static String of(String wrong, Collection<String> names) {
        String tidy = wrong.toLowerCase(Locale.ROOT).replace('-', '_');
        return names.stream()
                .filter(name -> distance(tidy, name.replace('-', '_')) <= Math.max(1, tidy.length() / 3))
                .min(Comparator.comparingInt(name -> distance(tidy, name.replace('-', '_'))))
                .map(name -> " Did you mean '" + name + "'?")
                .orElse("");
    }

    /// Returns the suggestion and the list of names.
    static String among(String wrong, Collection<String> names) {
        return of(wrong, names) + " There are " + String.join(", ", names) + ".";
    }

    /// Returns the number of letters to change, add, remove or swap with their neighbour.
    static int distance(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                cost[i][j] = i == 0 ? j : j == 0 ? i : cheapest(cost, from, to, i, j);
            }
        }
        return cost[from.length()][to.length()];
    }

    private static int cheapest(int[][] cost, String from, String to, int i, int j) {
        int change = cost[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
