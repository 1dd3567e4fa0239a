package dev.talaria.engine.admin;

import java.util.List;

/// What was removed of that which killed Talarias left.
///
/// @param left what could not be removed
public record PruneResult(List<ListedSandbox> removed, List<RemainingSandbox> left) {

    /// A sandbox that could not be removed.
    public record RemainingSandbox(ListedSandbox sandbox, String why) {}

    public PruneResult {
        removed = List.copyOf(removed);
        left = List.copyOf(left);
    }
}
