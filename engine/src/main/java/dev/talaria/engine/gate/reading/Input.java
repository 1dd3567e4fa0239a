package dev.talaria.engine.gate.reading;

/// The input that several commands read one after the other. What one command has read, the next one
/// does not get.
final class Input {
    private String rest;

    Input(String text) {
        this.rest = text;
    }

    /// Returns the part that no command has read yet.
    String rest() {
        return rest;
    }

    /// Resets the unread part.
    void rest(String text) {
        rest = text;
    }

    /// Takes everything that has not been read yet.
    String takeAll() {
        String all = rest;
        rest = "";
        return all;
    }

    /// Takes the next line, without its line break.
    String takeLine() {
        int newline = rest.indexOf('\n');
        String line = newline < 0 ? rest : rest.substring(0, newline);
        rest = newline < 0 ? "" : rest.substring(newline + 1);
        return line;
    }

    /// Notes that a command may have read a part of the input.
    void spoil() {
        if (!rest.isEmpty() && !rest.equals(ShellContext.TYPED)) {
            rest = UnknownValues.MADE;
        }
    }
}
