package dev.talaria.engine.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A value as somebody wrote it, before it is known to be of any use.
sealed interface WrittenValue {

    /// Returns the value as it would stand in a YAML file, on one line.
    String yaml();

    /// One text; variables and options always have this form.
    record Text(String text) implements WrittenValue {
        @Override
        public String yaml() {
            return PrintableText.scalar(text);
        }
    }

    /// A YAML list of texts.
    record Items(List<String> items) implements WrittenValue {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String yaml() {
            return items.stream().map(PrintableText::scalar).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /// Returns the only text.
    ///
    /// @throws IllegalArgumentException if it is a list
    default String one() {
        return switch (this) {
            case Text(String text) -> text.strip();
            case Items _ -> throw new IllegalArgumentException("a list stands where one value is needed.");
        };
    }

    /// Returns the items of the list, or of a text with commas.
    default List<String> many() {
        return switch (this) {
            case Text(String text) ->
                Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(item -> !item.isEmpty())
                        .toList();
            case Items(List<String> items) -> items;
        };
    }
}
