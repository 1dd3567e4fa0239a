package dev.talaria.api;

import java.util.OptionalLong;

/// What a sandbox takes up.
///
/// @param memory bytes of memory, absent if the place cannot tell
/// @param disk bytes it has written, absent if the place cannot tell
public record Usage(OptionalLong memory, OptionalLong disk) {
    public static final Usage UNKNOWN = new Usage(OptionalLong.empty(), OptionalLong.empty());
}
