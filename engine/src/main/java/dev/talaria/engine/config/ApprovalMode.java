package dev.talaria.engine.config;

/// Who decides about dangerous commands where the host is in reach.
public enum ApprovalMode {
    /// A person is asked about dangerous commands. Scripts run: whoever chose the backend chose that.
    MANUAL,
    /// As manual, and a person is asked about each script, too.
    ASK,
    /// Nobody is asked: everything runs but the hard floor and what the user's own rules deny.
    ALLOW,
    /// Nobody is asked: dangerous commands do not run.
    DENY
}
