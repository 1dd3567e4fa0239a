package dev.talaria.engine.output;

/// A text that is cleaned already, such as a captured stream: [ResultCleaner] does not change it.
public record CleanText(String text) {

    @Override
    public String toString() {
        return text;
    }
}
