package dev.talaria.engine.admin;

import dev.talaria.api.Isolation;
import dev.talaria.api.Usage;
import java.time.Duration;
import java.time.Instant;

/// An open sandbox of an engine.
///
/// @param session whose it is
/// @param name how messages call it
/// @param idle how long nobody has used it
/// @param busy whether a call or a background process runs there
/// @param usage what it takes up
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
