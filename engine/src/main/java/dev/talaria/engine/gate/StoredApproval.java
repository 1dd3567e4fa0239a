package dev.talaria.engine.gate;

import dev.talaria.engine.admin.Approval;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// A permission that a person has given until it is revoked.
///
/// @param id the name for `talaria approvals revoke`
/// @param grant what is allowed
/// @param example the command that was allowed first
/// @param by who allowed it
public record StoredApproval(String id, Grant grant, String example, String by, Instant at) implements Approval {

    @Override
    public String scope() {
        return grant.scope();
    }

    @Override
    public String words() {
        return grant.words();
    }

    @Override
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
