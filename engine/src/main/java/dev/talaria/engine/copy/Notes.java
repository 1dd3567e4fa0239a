package dev.talaria.engine.copy;

import dev.talaria.api.DisplayText;
import java.util.ArrayList;
import java.util.List;

/// The notes about a copy, for people. If many things were left out, only the first are named.
final class Notes {
    private static final int MOST = 20;

    private final List<String> notes = new ArrayList<>();
    private int unsaid;

    /// Notes that something was left out.
    ///
    /// @param name its name, which somebody else chose
    void leftOut(String name, String why) {
        if (notes.size() < MOST) {
            add(name, why + "; left out.");
        } else {
            unsaid++;
        }
    }

    /// Adds a note that is always shown.
    void add(String name, String what) {
        notes.add(DisplayText.name(name) + " " + what);
    }

    List<String> all() {
        List<String> all = new ArrayList<>(notes);
        if (unsaid > 0) {
            all.add("and " + unsaid + " more.");
        }
        return all;
    }
}
