package dev.talaria.cli;

/// One line of the terminal that is drawn repeatedly, and erased before other output. Its owner lets only one thread
/// at a time use it.
final class ProgressLine {
    private static final String ERASE = "\r\033[K";
    // The line does not wrap: a line of two rows could not be erased.
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
