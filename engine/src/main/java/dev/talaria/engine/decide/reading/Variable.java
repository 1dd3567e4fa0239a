package dev.talaria.engine.decide.reading;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A variable's value: one text, or several by their keys.
///
/// @param elements by number or name
/// @param list whether it is an array
record Variable(SortedMap<String, String> elements, boolean list) {
    private static final Comparator<String> ORDER =
            Comparator.comparingLong(Variable::number).thenComparing(Comparator.naturalOrder());

    static Variable of(String value) {
        SortedMap<String, String> one = new TreeMap<>(ORDER);
        one.put("0", value);
        return new Variable(one, false);
    }

    static Variable of(List<String> values) {
        SortedMap<String, String> all = new TreeMap<>(ORDER);
        for (int i = 0; i < values.size(); i++) {
            all.put(String.valueOf(i), values.get(i));
        }
        return new Variable(all, true);
    }

    Variable with(String key, String value) {
        SortedMap<String, String> all = new TreeMap<>(ORDER);
        all.putAll(elements);
        all.put(key, value);
        return new Variable(all, true);
    }

    /// Returns the key behind the last one.
    int next() {
        return elements.isEmpty() ? 0 : (int) Math.max(0, number(elements.lastKey()) + 1);
    }

    String text() {
        return elements.getOrDefault("0", "");
    }

    List<String> values() {
        return List.copyOf(elements.values());
    }

    private static long number(String key) {
        return !key.isEmpty() && key.length() < 9 && key.chars().allMatch(Character::isDigit)
                ? Long.parseLong(key)
                : Long.MAX_VALUE;
    }
}
