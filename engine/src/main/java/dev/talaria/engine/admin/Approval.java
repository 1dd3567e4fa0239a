package dev.talaria.engine.admin;

import java.time.Instant;
import java.util.Map;

/// Something that a person has allowed for good.
public interface Approval {

    /// Returns the id that `talaria approvals revoke` takes.
    String id();

    /// Returns how far it reaches, in words.
    String scope();

    /// Returns what is allowed, in words.
    String words();

    /// Returns the command at which it was allowed.
    String example();

    /// Returns who allowed it.
    String by();

    /// Returns when it was allowed.
    Instant at();

    /// Returns it as it is stored and shown.
    Map<String, Object> json();
}
