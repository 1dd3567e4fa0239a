package dev.talaria.engine.gate.reading;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The variables of a shell at one point of its program. Notes each name that a command looks up or
/// sets: whatever other variables the shell was given make no difference.
final class Variables {
    private final Map<String, Variable> all = new HashMap<>();
    private final Set<String> looked; // by all shells of one text

    Variables(Set<String> looked) {
        this.looked = looked;
    }

    /// Returns variables that note names in the same place.
    Variables empty() {
        return new Variables(looked);
    }

    /// Sets a variable that a shell finds when it starts.
    void given(String name, Variable value) {
        all.put(name, value);
    }

    @Nullable
    Variable get(String name) {
        looked.add(name);
        return all.get(name);
    }

    boolean has(String name) {
        looked.add(name);
        return all.containsKey(name);
    }

    void put(String name, Variable value) {
        looked.add(name);
        all.put(name, value);
    }

    void remove(String name) {
        looked.add(name);
        all.remove(name);
    }

    /// Sets a variable to an earlier value, or removes it if it had none.
    void restore(String name, Optional<Variable> old) {
        old.ifPresentOrElse(value -> put(name, value), () -> remove(name));
    }

    int size() {
        return all.size();
    }

    void forEach(BiConsumer<String, Variable> action) {
        all.forEach(action);
    }

    boolean same(Variables other) {
        return all.equals(other.all);
    }

    void take(Variables other) {
        all.clear();
        all.putAll(other.all);
    }

    /// Joins other values into these: afterwards either may be true.
    void join(Variables other, UnknownValues marks) {
        Set<String> names = new HashSet<>(all.keySet());
        names.addAll(other.all.keySet());
        names.forEach(name -> {
            Variable here = orUsual(name, all.get(name));
            Variable there = orUsual(name, other.all.get(name));
            if (!Objects.equals(here, there)) {
                put(name, either(here, there, marks));
            }
        });
    }

    /// Makes everything unknown that differs from earlier values.
    void widen(Variables before) {
        List.copyOf(all.keySet()).forEach(name -> {
            if (!Objects.equals(all.get(name), before.all.get(name))) {
                put(name, Variable.of(UnknownValues.MADE));
            }
        });
    }

    /// Returns a variable's value for joining. A missing `IFS` splits words at blanks, which an empty
    /// `IFS` does not.
    private static @Nullable Variable orUsual(String name, @Nullable Variable value) {
        return value == null && name.equals("IFS") ? Variable.of(unset(name)) : value;
    }

    /// Returns the value of a variable that is not set.
    static String unset(String name) {
        return name.equals("IFS") ? Expander.USUAL_SEPARATORS : "";
    }

    static Variable either(@Nullable Variable here, @Nullable Variable there, UnknownValues marks) {
        if (here == null && there != null && there.list()) {
            return there; // an empty value would hide what the list contains
        }
        if (there == null && here != null && here.list()) {
            return here;
        }
        boolean list = (here != null && here.list()) || (there != null && there.list());
        if (list) {
            return Variable.made();
        }
        if (here == null && there != null && marks.ordinary(there.text())) {
            return there; // it may be anything already
        }
        if (there == null && here != null && marks.ordinary(here.text())) {
            return here;
        }
        return Variable.of(marks.choice(List.of(here == null ? "" : here.text(), there == null ? "" : there.text())));
    }
}
