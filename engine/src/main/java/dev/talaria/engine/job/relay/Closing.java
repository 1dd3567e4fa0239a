package dev.talaria.engine.job.relay;

import java.io.Closeable;
import java.io.IOException;

/// Closes streams and channels without an exception.
final class Closing {
    private Closing() {}

    static void quietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // Nothing can be done about it, and the other end notices it anyway.
        }
    }
}
