package dev.talaria.api;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A person's answer to a {@link Question}, the narrowest yes first. The {@link Question.Offer} says what an answer
/// allows in a case. An answer that is not offered does not count.
public enum Answer {
    /// Yes, this time.
    ONCE,
    /// Yes, and this very command in this folder, until the session ends.
    SESSION,
    /// Yes, and this very command in this folder, until somebody revokes it.
    ALWAYS,
    /// Yes, and whatever is dangerous in the same way and changes nothing but what lies below this folder,
    /// until the session ends.
    SESSION_FOLDER,
    /// The same as `SESSION_FOLDER`, until somebody revokes it.
    ALWAYS_FOLDER,
    /// Yes, and whatever is dangerous in the same way, anywhere, until the session ends.
    SESSION_KIND,
    /// The same as `SESSION_KIND`, until somebody revokes it.
    ALWAYS_KIND,
    /// No.
    DENY;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /// Returns the answer's word on a command line and in a dialog, such as `always-folder`.
    public String word() {
        return word;
    }

    /// Returns the answer with this word; empty if there is none.
    public static Optional<Answer> of(String word) {
        return Stream.of(values()).filter(answer -> answer.word.equals(word)).findFirst();
    }
}
