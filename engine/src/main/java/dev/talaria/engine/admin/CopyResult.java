package dev.talaria.engine.admin;

import java.util.List;

/// The result of a copy.
///
/// @param path the path of the copy
/// @param files the number of files
/// @param bytes the number of bytes of all files
/// @param resumed how many of these bytes an earlier, interrupted copy had brought
/// @param leftOut a sentence for each thing that was not copied, with the reason
/// @param notes further sentences about the copy
public record CopyResult(String path, long files, long bytes, long resumed, List<String> leftOut, List<String> notes) {
    public CopyResult {
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }
}
