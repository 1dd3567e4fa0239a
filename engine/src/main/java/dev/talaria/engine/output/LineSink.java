package dev.talaria.engine.output;

/// Receives the lines of a running stream. The stream's reader calls it: return quickly, throw
/// nothing.
@FunctionalInterface
public interface LineSink {

    /// Ignores all lines; the capture then does no work for live output.
    LineSink NONE = _ -> {};

    /// Takes one cleaned line, without its line end.
    void line(String cleanText);
}
