package dev.talaria.engine.output;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/// Where a capture puts the raw stream once it is too large to show.
@FunctionalInterface
public interface SpillTarget {

    /// Keeps nothing.
    SpillTarget NONE = _ -> new Sink() {
        @Override
        public void write(ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }

        @Override
        public Kept finish() {
            return new Kept(Optional.empty(), Optional.empty());
        }
    };

    /// Returns a sink for one stream. Trouble shows in what the sink kept, never as an exception.
    ///
    /// @param mode how the stream is masked when somebody reads it
    Sink open(Redactor.Mode mode);

    /// Takes a raw stream. It fails no run: a problem ends the writing and is told by [#finish()].
    interface Sink {

        /// Takes all remaining bytes; the buffer's content is valid during this call only.
        void write(ByteBuffer bytes);

        /// Ends the stream and returns what was kept of it; again the same when called twice.
        Kept finish();
    }

    /// What became of a spilled stream.
    ///
    /// @param file the file, if there is one
    /// @param note what is special about it (it is cut, it could not be written)
    record Kept(Optional<Path> file, Optional<String> note) {}
}
