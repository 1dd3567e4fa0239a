package dev.talaria.api;

import java.util.OptionalLong;

/// The memory and disk space that a sandbox uses.
///
/// @param memory bytes of memory; absent if the sandbox cannot tell
/// @param disk bytes that the sandbox has written; absent if it cannot tell
public record Usage(OptionalLong memory, OptionalLong disk) {
    /// A usage of which nothing is known.
    public static final Usage UNKNOWN = new Usage(OptionalLong.empty(), OptionalLong.empty());
}
