package dev.talaria.engine.decide.reading;

/// A here-document that was declared on a line and whose body follows it.
final class HereDocument {
    final String end;
    final boolean stripTabs;
    final boolean literal;
    boolean commands; // whether a shell is fed with it; known once its command is over

    HereDocument(String end, boolean stripTabs, boolean literal) {
        this.end = end;
        this.stripTabs = stripTabs;
        this.literal = literal;
    }
}
