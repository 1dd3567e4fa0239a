package dev.talaria.engine.output;

/// A text that has passed the stage already, such as a captured stream: [ResultCleaner] takes it as it is.
public record CleanText(String text) {

    @Override
    public String toString() {
        return text;
    }
}
