package dev.talaria.engine.gate;

import dev.talaria.api.DisplayText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// What a person who decides is shown of a call: its text, and under labels all else that it is given. Each is cut
/// short by itself, so that none can push another out of sight.
///
/// @param more by label
record QuestionText(String text, Map<String, String> more) {

    static QuestionText of(String text) {
        return new QuestionText(text, Map.of());
    }

    /// Returns this with something more, if there is something.
    QuestionText with(String label, Optional<?> given) {
        if (given.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(more);
        all.put(label, String.valueOf(given.get()));
        return new QuestionText(text, all);
    }

    /// Returns it as it is shown. Lines of what is given are marked: no text can pretend to have another input.
    ///
    /// @param masked takes secrets out of a text
    String shown(UnaryOperator<String> masked) {
        StringBuilder out = new StringBuilder(DisplayText.of(masked.apply(text)));
        more.forEach((label, given) -> out.append("\n[")
                .append(label)
                .append("]\n")
                .append(DisplayText.of(masked.apply(given))
                        .lines()
                        .map(line -> "| " + line)
                        .collect(Collectors.joining("\n"))));
        return out.toString();
    }
}
