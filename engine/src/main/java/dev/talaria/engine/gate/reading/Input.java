package dev.talaria.engine.gate.reading;

/// What commands read, one after the other: what one has read, the next one does not get.
final class Input {
    private String rest;

    Input(String text) {
        this.rest = text;
    }

    /// Returns what has not been read yet.
    String rest() {
        return rest;
    }

    /// Goes back to what there was before.
    void rest(String text) {
        rest = text;
    }

    /// Returns what has not been read yet, and takes it.
    String takeAll() {
        String all = rest;
        rest = "";
        return all;
    }

    /// Returns the next line, and takes it; the end's line has none.
    String takeLine() {
        int newline = rest.indexOf('\n');
        String line = newline < 0 ? rest : rest.substring(0, newline);
        rest = newline < 0 ? "" : rest.substring(newline + 1);
        return line;
    }

    /// Notes that somebody may have read some of it.
    void spoil() {
        if (!rest.isEmpty() && !rest.equals(Surroundings.TYPED)) {
            rest = Marks.MADE;
        }
    }
}
