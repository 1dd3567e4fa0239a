package dev.talaria.engine.admin;

import java.util.List;

/// What was copied.
///
/// @param path where it is now
/// @param files how many files
/// @param bytes how many bytes they have together
/// @param resumed how many of those were there already, from an earlier copy that was cut
/// @param leftOut what was not copied, and why, in sentences
/// @param notes what else there is to know, in sentences
public record CopyResult(String path, long files, long bytes, long resumed, List<String> leftOut, List<String> notes) {
    public CopyResult {
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }
}
