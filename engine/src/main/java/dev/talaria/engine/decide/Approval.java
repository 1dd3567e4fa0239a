package dev.talaria.engine.decide;

import java.time.Instant;

/// Something that a person has allowed for good.
///
/// @param id names it for `talaria approvals revoke`
/// @param key what is allowed: the key of a rule, or `execute_code`
/// @param example the command at which it was allowed
/// @param by who allowed it
public record Approval(String id, String key, String example, String by, Instant at) {}
