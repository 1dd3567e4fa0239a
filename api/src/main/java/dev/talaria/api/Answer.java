package dev.talaria.api;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a person says when asked whether something may be done, the narrowest yes first. What each one allows in a
/// case is said by the {@link Question.Offer}; only what is offered counts.
public enum Answer {
    /// Yes, this time.
    ONCE,
    /// Yes, and this very command in this folder, until the session ends.
    SESSION,
    /// Yes, and this very command in this folder, until that is revoked.
    ALWAYS,
    /// Yes, and whatever is dangerous in the same way and changes nothing but what lies below this folder, until the
    /// session ends.
    SESSION_FOLDER,
    /// As that, until it is revoked.
    ALWAYS_FOLDER,
    /// Yes, and whatever is dangerous in the same way, anywhere, until the session ends.
    SESSION_KIND,
    /// As that, until it is revoked.
    ALWAYS_KIND,
    /// No.
    DENY;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /// Returns how it is written on a command line and in a dialog, such as `always-folder`.
    public String word() {
        return word;
    }

    /// Returns the answer that is written so.
    public static Optional<Answer> of(String word) {
        return Stream.of(values()).filter(answer -> answer.word.equals(word)).findFirst();
    }
}
