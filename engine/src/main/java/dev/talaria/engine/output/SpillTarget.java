package dev.talaria.engine.output;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/// Stores the raw stream of a capture once it is too large to show.
@FunctionalInterface
public interface SpillTarget {

    /// Stores nothing.
    SpillTarget NONE = _ -> new Unsaved(Optional.empty());

    /// Returns a sink for one stream. A problem appears in the sink's result, never as an exception.
    ///
    /// @param mode how the stream is masked when somebody reads it
    Sink open(Redactor.Mode mode);

    /// Takes a raw stream. It fails no run: a problem ends the writing, and [#finish()] reports it.
    interface Sink {

        /// Takes all remaining bytes. The buffer's content is valid only during this call.
        void write(ByteBuffer bytes);

        /// Ends the stream and returns the result. A second call returns the same result.
        Result finish();
    }

    /// Takes a stream that is not stored.
    ///
    /// @param note why it is not
    record Unsaved(Optional<String> note) implements Sink {
        @Override
        public void write(ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }

        @Override
        public Result finish() {
            return new Result(Optional.empty(), note);
        }
    }

    /// The result of spilling a stream.
    ///
    /// @param file the file, if there is one
    /// @param note what is special about it (it is cut, it could not be written)
    record Result(Optional<Path> file, Optional<String> note) {}
}
