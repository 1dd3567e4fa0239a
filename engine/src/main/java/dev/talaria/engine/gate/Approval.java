package dev.talaria.engine.gate;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Something that a person has allowed for good.
///
/// @param id names it for `talaria approvals revoke`
/// @param grant what is allowed
/// @param example the command at which it was allowed
/// @param by who allowed it
public record Approval(String id, Grant grant, String example, String by, Instant at) {

    /// Returns it as it is stored and shown.
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.putAll(grant.json());
        json.put("example", example);
        json.put("by", by);
        json.put("at", at.toString());
        return json;
    }
}
