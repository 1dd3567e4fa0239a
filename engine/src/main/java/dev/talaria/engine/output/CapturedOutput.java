package dev.talaria.engine.output;

import java.nio.file.Path;
import java.util.Optional;

/// What a stream came to: the text to show, and how much of the stream that is.
///
/// `bytesCaptured + bytesOmitted == bytesTotal`, all in raw bytes as the program printed them. Text that
/// cleaning left alone counts byte by byte. A line that cleaning changed (colours, redraws, masks) counts
/// byte by byte as long as only its unchanged beginning or end is shown; otherwise it counts in full as
/// soon as any of it is shown.
///
/// @param text the cleaned and capped text
/// @param truncated whether something is missing from `text`; cleaning alone does not make it so
/// @param bytesCaptured raw bytes that `text` stands for
/// @param bytesTotal raw bytes of the whole stream
/// @param bytesOmitted raw bytes that `text` does not stand for
/// @param spill the file with the raw stream, if the text is truncated and a file could be written
/// @param spillNote what to know about that file, or why there is none
public record CapturedOutput(
        String text,
        boolean truncated,
        long bytesCaptured,
        long bytesTotal,
        long bytesOmitted,
        Optional<Path> spill,
        Optional<String> spillNote) {}
