package dev.talaria.engine.config;

/// Who decides about dangerous commands in sandboxes that can reach the host.
public enum ApprovalMode {
    /// A person is asked about dangerous commands. Scripts run, since the user who chose the backend allowed
    /// them.
    MANUAL,
    /// A person is asked about dangerous commands and about each script.
    ASK,
    /// Nobody is asked. Everything runs except the hard floor and what the user's own rules deny.
    ALLOW,
    /// Nobody is asked. Dangerous commands do not run, scripts do.
    DENY
}
