package dev.talaria.engine.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A value as somebody wrote it, before it is checked.
sealed interface WrittenValue {

    /// Returns the value as one line of YAML.
    String yaml();

    /// One text. Variables and options of the command line always have this form.
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

    /// Returns the text.
    ///
    /// @throws IllegalArgumentException if the value is a list
    default String one() {
        return switch (this) {
            case Text(String text) -> text.strip();
            case Items _ -> throw new IllegalArgumentException("a list stands where one value is needed.");
        };
    }

    /// Returns the items of the list, or the parts of a text with commas.
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
