package dev.talaria.engine.output;

/// Hears the lines of a running stream. Called from the stream's reader: return quickly, throw nothing.
@FunctionalInterface
public interface LineSink {

    /// Nobody listens; the capture then does no work for live output.
    LineSink NONE = _ -> {};

    /// Takes one cleaned line, without its line end.
    void line(String cleanText);
}
