package dev.talaria.engine.admin;

import dev.talaria.api.Isolation;
import dev.talaria.api.Usage;
import java.time.Duration;
import java.time.Instant;

/// An open sandbox of an engine.
///
/// @param session the session that it belongs to
/// @param name its name in messages
/// @param idle how long no call has used it
/// @param busy whether a call or a background process runs in it
/// @param usage the memory and disk space that it uses
/// @param warm whether it was opened ahead of its session
public record SandboxInfo(
        String id,
        String session,
        String backend,
        String name,
        Isolation isolation,
        Instant created,
        Duration idle,
        boolean busy,
        Usage usage,
        boolean warm) {}
