package dev.talaria.engine.admin;

import java.util.List;

/// The result of removing the sandboxes of killed Talarias.
///
/// @param removed the sandboxes that were removed
/// @param left the sandboxes that could not be removed
public record PruneResult(List<ListedSandbox> removed, List<RemainingSandbox> left) {

    /// A sandbox that could not be removed.
    public record RemainingSandbox(ListedSandbox sandbox, String why) {}

    public PruneResult {
        removed = List.copyOf(removed);
        left = List.copyOf(left);
    }
}
