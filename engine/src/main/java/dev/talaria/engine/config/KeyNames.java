package dev.talaria.engine.config;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Guesses what somebody meant who wrote a name that does not exist.
final class KeyNames {
    private static final int LONGEST = 64;

    private KeyNames() {}

    /// Returns a sentence that helps with an unknown key.
    static String suggestion(String key) {
        return nearest(key)
                .map(found -> "Did you mean '" + found + "'?")
                .orElse("Remove it; 'talaria config' lists all keys.");
    }

    /// Returns the key whose name is closest to `wrong`, if one is close. The last part of a name alone
    /// counts, too: people forget the group.
    static Optional<ConfigKey<?>> nearest(String wrong) {
        String tidy = wrong.toLowerCase(Locale.ROOT).replace('_', '-');
        if (tidy.length() > LONGEST) {
            return Optional.empty();
        }
        String most = last(tidy);
        ToIntFunction<ConfigKey<?>> whole = key -> distance(tidy, key.name());
        ToIntFunction<ConfigKey<?>> end = key -> distance(most, last(key.name()));
        return ConfigKeys.all().stream()
                .filter(key -> whole.applyAsInt(key) <= tolerance(tidy) || end.applyAsInt(key) <= tolerance(most))
                .min(Comparator.comparingInt((ConfigKey<?> key) -> Math.min(whole.applyAsInt(key), end.applyAsInt(key)))
                        .thenComparingInt(whole));
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static int tolerance(String name) {
        return name.length() < 4 ? 1 : Math.min(3, name.length() / 3);
    }

    /// Returns how many letters have to be changed, added or taken away.
    static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
