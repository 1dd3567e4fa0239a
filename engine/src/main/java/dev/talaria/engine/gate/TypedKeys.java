package dev.talaria.engine.gate;

/// Text that somebody typed on a terminal, as the program reads it.
///
/// @param text the text after obeying the keys that delete earlier text
/// @param unclear whether it contains keys whose effect depends on the screen: history, completion,
///     cursor keys
record TypedKeys(String text, boolean unclear) {
    private static final char BACKSPACE = 0x08;
    private static final char KILL_REST = 0x0b;
    private static final char ERASE_WORD = 0x17;
    private static final char ERASE_LINE = 0x15;
    private static final char YANK = 0x19;
    private static final char INTERRUPT = 0x03;
    private static final char END = 0x04;
    private static final char DELETE = 0x7f;

    /// Applies editing keys.
    ///
    /// @param terminal whether a terminal reads the text, where a tab completes a word
    static TypedKeys of(String typed, boolean terminal) {
        StringBuilder text = new StringBuilder();
        String killed = "";
        boolean unclear = false;
        for (int i = 0; i < typed.length(); i++) {
            char c = typed.charAt(i);
            int end = text.length();
            switch (c) {
                case '\r', '\n' -> text.append('\n');
                case '\t' -> {
                    unclear |= terminal && end > 0 && !Character.isWhitespace(text.charAt(end - 1));
                    text.append(c);
                }
                case BACKSPACE, DELETE -> {
                    if (end > 0 && text.charAt(end - 1) != '\n') {
                        text.setLength(end - 1);
                    }
                }
                case ERASE_LINE -> killed = erase(text, text.lastIndexOf("\n") + 1);
                case INTERRUPT -> text.setLength(text.lastIndexOf("\n") + 1);
                case ERASE_WORD -> {
                    while (end > 0 && text.charAt(end - 1) == ' ') {
                        end--;
                    }
                    while (end > 0 && !Character.isWhitespace(text.charAt(end - 1))) {
                        end--;
                    }
                    killed = erase(text, end);
                }
                case YANK -> text.append(killed);
                case END, KILL_REST -> {}
                default -> {
                    unclear |= c < ' ';
                    text.append(c);
                }
            }
        }
        return new TypedKeys(text.toString(), unclear);
    }

    private static String erase(StringBuilder text, int from) {
        String erased = text.substring(from);
        text.setLength(from);
        return erased;
    }
}
