package dev.talaria.engine.decide;

/// What somebody typed on a terminal, as the reader gets it.
///
/// @param text with the keys obeyed that take back what was typed before
/// @param unclear whether there are keys whose effect depends on what is on the screen: history, completion, cursor
/// keys
record Keys(String text, boolean unclear) {
    private static final char BACKSPACE = 0x08;
    private static final char ERASE_WORD = 0x17;
    private static final char ERASE_LINE = 0x15;
    private static final char INTERRUPT = 0x03;
    private static final char END = 0x04;
    private static final char DELETE = 0x7f;

    static Keys of(String typed) {
        StringBuilder text = new StringBuilder();
        boolean unclear = false;
        for (int i = 0; i < typed.length(); i++) {
            char c = typed.charAt(i);
            switch (c) {
                case '\r' -> text.append('\n');
                case '\n', '\t' -> text.append(c);
                case BACKSPACE, DELETE -> {
                    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                        text.setLength(text.length() - 1);
                    }
                }
                case ERASE_LINE, INTERRUPT -> text.setLength(text.lastIndexOf("\n") + 1);
                case ERASE_WORD -> {
                    int end = text.length();
                    while (end > 0 && text.charAt(end - 1) == ' ') {
                        end--;
                    }
                    while (end > 0 && !Character.isWhitespace(text.charAt(end - 1))) {
                        end--;
                    }
                    text.setLength(end);
                }
                case END -> {}
                default -> {
                    unclear |= c < ' ';
                    text.append(c);
                }
            }
        }
        return new Keys(text.toString(), unclear);
    }
}
