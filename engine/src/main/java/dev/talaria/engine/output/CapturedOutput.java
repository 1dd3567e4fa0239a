package dev.talaria.engine.output;

import java.nio.file.Path;
import java.util.Optional;

/// The shown text of a stream, with its share of the stream.
///
/// `bytesCaptured + bytesOmitted == bytesTotal`, all in raw bytes as the program printed them. Text
/// that cleaning did not change counts byte by byte. A line that cleaning changed (colours, redraws,
/// masks) counts byte by byte as long as only its unchanged beginning or end is shown. Otherwise it
/// counts in full as soon as any part of it is shown.
///
/// @param text the cleaned and capped text
/// @param truncated whether something is missing from `text`; cleaning alone does not set it
/// @param bytesCaptured the raw bytes that `text` stands for
/// @param bytesTotal the raw bytes of the whole stream
/// @param bytesOmitted the raw bytes that `text` does not stand for
/// @param spill the file with the raw stream, if the text is truncated and a file could be written
/// @param spillNote a note about that file, or why there is none
public record CapturedOutput(
        String text,
        boolean truncated,
        long bytesCaptured,
        long bytesTotal,
        long bytesOmitted,
        Optional<Path> spill,
        Optional<String> spillNote) {}
