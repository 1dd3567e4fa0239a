package dev.talaria.api;

/// What a person says when asked whether something may be done.
public enum Answer {
    /// Yes, this time.
    ONCE,
    /// Yes, and whatever has the same reasons in this session.
    SESSION,
    /// Yes, and whatever has the same reasons, until that is revoked.
    ALWAYS,
    /// No.
    DENY
}
