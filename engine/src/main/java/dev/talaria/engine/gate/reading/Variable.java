package dev.talaria.engine.gate.reading;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A variable's value: one text, or several texts by key.
///
/// @param elements texts by number or name
/// @param list whether the variable is an array
/// @param associative whether its keys are texts, in an unknown order
record Variable(SortedMap<String, String> elements, boolean list, boolean associative) {
    private static final Comparator<String> ORDER =
            Comparator.comparingLong(Variable::number).thenComparing(Comparator.naturalOrder());

    static Variable of(String value) {
        SortedMap<String, String> one = new TreeMap<>(ORDER);
        one.put("0", value);
        return new Variable(one, false, false);
    }

    static Variable of(List<String> values) {
        SortedMap<String, String> all = new TreeMap<>(ORDER);
        for (int i = 0; i < values.size(); i++) {
            all.put(String.valueOf(i), values.get(i));
        }
        return new Variable(all, true, false);
    }

    /// Returns a list with unknown content.
    static Variable made() {
        return of(List.of(UnknownValues.MADE));
    }

    static Variable associated() {
        return new Variable(new TreeMap<>(ORDER), true, true);
    }

    /// Returns the value as a list.
    Variable asList() {
        return new Variable(elements, true, associative);
    }

    Variable with(String key, String value) {
        SortedMap<String, String> all = new TreeMap<>(ORDER);
        all.putAll(elements);
        all.put(key, value);
        return new Variable(all, true, associative);
    }

    /// Returns the number behind the last key.
    int next() {
        return elements.isEmpty() ? 0 : (int) Math.max(0, number(elements.lastKey()) + 1);
    }

    /// Returns whether the keys are 0, 1, 2 and so on, so that positions are keys.
    boolean dense() {
        return !associative && next() == elements.size();
    }

    /// Returns an element, or the mark `MADE` if an unknown element may have this key.
    String at(String key) {
        String missing = elements.values().stream().anyMatch(value -> value.contains(UnknownValues.MADE))
                ? UnknownValues.MADE
                : "";
        return elements.getOrDefault(key, missing);
    }

    String text() {
        return elements.getOrDefault("0", "");
    }

    List<String> values() {
        return associative && elements.size() > 1 ? List.of(UnknownValues.MADE) : List.copyOf(elements.values());
    }

    /// Returns the keys as `${!name[@]}` lists them.
    List<String> keys() {
        return associative && elements.size() > 1 ? List.of(UnknownValues.MADE) : List.copyOf(elements.keySet());
    }

    private static long number(String key) {
        return !key.isEmpty() && key.length() < 9 && key.chars().allMatch(Character::isDigit)
                ? Long.parseLong(key)
                : Long.MAX_VALUE;
    }
}
