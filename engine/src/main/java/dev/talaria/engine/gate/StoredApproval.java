package dev.talaria.engine.gate;

import dev.talaria.engine.admin.Approval;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Something that a person has allowed for good.
///
/// @param id names it for `talaria approvals revoke`
/// @param grant what is allowed
/// @param example the command at which it was allowed
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
