package dev.talaria.engine.gate;

import dev.talaria.api.DisplayText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The text that a person sees of a call: the command or script, and its other inputs under labels.
/// Each part is shortened separately, so that none can push another one out of sight.
///
/// @param more the other inputs by label
record QuestionText(String text, Map<String, String> more) {

    static QuestionText of(String text) {
        return new QuestionText(text, Map.of());
    }

    /// Returns a copy with one more labelled part.
    QuestionText with(String label, Object given) {
        Map<String, String> all = new LinkedHashMap<>(more);
        all.put(label, String.valueOf(given));
        return new QuestionText(text, all);
    }

    /// Returns the text for display. Lines of inputs are marked, so that no text can pretend to have
    /// another input.
    ///
    /// @param masked removes secrets from a text
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
