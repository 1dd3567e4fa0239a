package dev.talaria.engine.admin;

import java.time.Instant;
import java.util.Map;

/// A person's yes that counts until somebody revokes it.
public interface Approval {

    /// Returns the id that `talaria approvals revoke` takes.
    String id();

    /// Returns the scope of the approval, in words.
    String scope();

    /// Returns what is allowed, in words.
    String words();

    /// Returns the command that the person was asked about.
    String example();

    /// Returns the name of the approver.
    String by();

    /// Returns the time of the approval.
    Instant at();

    /// Returns the approval as a JSON object.
    Map<String, Object> json();
}
