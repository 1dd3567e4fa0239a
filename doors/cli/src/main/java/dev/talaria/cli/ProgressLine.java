package dev.talaria.cli;

/// One line of the terminal that is drawn again and again, and erased before anything else is written. Whoever has it
/// sees to it that one thread at a time does so.
final class ProgressLine {
    private static final String ERASE = "\r\033[K";
    // Without line wrap, whatever the width of the window: a line of two rows could not be erased.
    private static final String NO_WRAP = "\033[?7l";
    private static final String WRAP = "\033[?7h";

    private final Console console;
    private boolean drawn;

    ProgressLine(Console console) {
        this.console = console;
    }

    void draw(String text) {
        console.printErr(ERASE + NO_WRAP + text + WRAP);
        drawn = true;
    }

    void erase() {
        if (drawn) {
            console.printErr(ERASE);
            drawn = false;
        }
    }
}
