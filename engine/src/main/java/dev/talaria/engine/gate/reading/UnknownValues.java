package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Marks stand in a text for values that are not known. Each is one character of Unicode's private
/// area. A text with marks can be joined, split and parsed like any other text.
final class UnknownValues {
    /// A value that the text itself produces, in a way that is not computed. It may hide something on
    /// purpose.
    static final String MADE = "\ue0fe";

    /// A value from outside: a file's content, a program's output.
    static final String ORDINARY = "\ue0ff";

    private static final char LOWEST = '\ue0fe';
    private static final char FIRST = '\ue100';
    private static final char HIGHEST = '\uf8ff';
    private static final int MOST_OPTIONS = 8;

    private final List<Mark> all = new ArrayList<>();
    private final Map<String, String> known = new HashMap<>();
    private boolean choices;

    enum Kind {
        /// A variable that is not set as far as is known: most likely it is empty.
        UNSET,
        ORDINARY,
        MADE,
        /// One of several texts, depending on the way that a command takes.
        CHOICE
    }

    /// @param label the text that a person sees
    record Mark(Kind kind, String label, List<String> options) {}

    /// Returns the text without characters that look like marks.
    static String without(String text) {
        return text.chars().anyMatch(c -> c >= 0xe000 && c <= HIGHEST)
                ? text.replaceAll("[\ue000-\uf8ff]", "\ufffd")
                : text;
    }

    static boolean mark(char c) {
        return c >= LOWEST && c <= HIGHEST;
    }

    /// Returns whether a text cannot be compared with another, because a part of it is not known.
    static boolean unclear(String text) {
        return any(text) || text.contains(ShellContext.START);
    }

    static boolean any(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (mark(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /// Returns the mark for a value of this kind and label.
    String unknown(Kind kind, String label) {
        return known.computeIfAbsent(kind + label, _ -> add(new Mark(kind, label, List.of())));
    }

    /// Returns the mark for what a program prints.
    String output(String program) {
        return unknown(Kind.ORDINARY, "$(" + program + ")");
    }

    /// Returns a mark that differs from all marks before.
    String fresh(String label) {
        return add(new Mark(Kind.ORDINARY, label, List.of()));
    }

    /// Returns the mark for one of several texts.
    String choice(List<String> options) {
        Set<String> flat = new LinkedHashSet<>();
        options.forEach(option -> flatten(option, flat));
        if (flat.size() == 1) {
            return flat.iterator().next();
        }
        if (flat.size() > MOST_OPTIONS) {
            return MADE;
        }
        choices = true;
        return known.computeIfAbsent("choice " + flat, _ -> add(new Mark(Kind.CHOICE, "$(...)", List.copyOf(flat))));
    }

    private void flatten(String option, Set<String> into) {
        options(option).ifPresentOrElse(into::addAll, () -> into.add(option));
    }

    /// Returns the texts that a text may be, if it is one choice and nothing else.
    Optional<List<String>> options(String text) {
        return text.length() == 1
                ? of(text.charAt(0)).filter(mark -> mark.kind() == Kind.CHOICE).map(Mark::options)
                : Optional.empty();
    }

    private String add(Mark mark) {
        if (FIRST + all.size() >= HIGHEST) {
            return MADE;
        }
        all.add(mark);
        return String.valueOf((char) (FIRST + all.size() - 1));
    }

    boolean choices() {
        return choices;
    }

    Optional<Mark> of(char c) {
        if (c < FIRST || c - FIRST >= all.size()) {
            return switch (c) {
                case '\ue0fe' -> Optional.of(new Mark(Kind.MADE, "$(...)", List.of()));
                case '\ue0ff' -> Optional.of(new Mark(Kind.ORDINARY, "$(...)", List.of()));
                default -> Optional.empty();
            };
        }
        return Optional.of(all.get(c - FIRST));
    }

    boolean has(String text, Kind kind) {
        for (int i = 0; i < text.length(); i++) {
            if (mark(text.charAt(i))
                    && of(text.charAt(i))
                            .filter(mark -> mark.kind() == kind || within(mark, kind))
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private boolean within(Mark mark, Kind kind) {
        return mark.options().stream().anyMatch(option -> has(option, kind));
    }

    /// Returns whether a text is one value from outside, and nothing else.
    boolean ordinary(String text) {
        return text.length() == 1
                && of(text.charAt(0))
                        .filter(mark -> mark.kind() == Kind.ORDINARY)
                        .isPresent();
    }

    boolean made(String text) {
        return has(text, Kind.MADE);
    }

    /// Returns whether a text may become several words, of which any can be meant by somebody.
    boolean mayBeSplit(String text) {
        return made(text)
                || text.chars()
                        .mapToObj(c -> of((char) c))
                        .flatMap(Optional::stream)
                        .flatMap(mark -> mark.options().stream())
                        .anyMatch(option -> option.chars().anyMatch(Character::isWhitespace));
    }

    /// Returns the text with a label in the place of each mark.
    String show(String text) {
        return replaced(text, c -> of(c).map(Mark::label).orElse("?"));
    }

    /// Returns the text as it is if the variables that are most likely empty are empty.
    String withoutUnset(String text) {
        return replaced(
                text, c -> of(c).filter(mark -> mark.kind() == Kind.UNSET).isPresent() ? "" : c.toString());
    }

    private static String replaced(String text, Function<Character, String> by) {
        if (!any(text)) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(mark(c) ? by.apply(c) : String.valueOf(c));
        }
        return out.toString();
    }

    /// Returns the mark for what becomes of a text in a way that is not computed.
    String blurred(String text) {
        return any(text) ? outside(text) : MADE;
    }

    /// Returns the text for another reading, which has other marks.
    String outside(String text) {
        if (!any(text)) {
            return text;
        }
        return has(text, Kind.MADE) || has(text, Kind.CHOICE) ? MADE : ORDINARY;
    }
}
