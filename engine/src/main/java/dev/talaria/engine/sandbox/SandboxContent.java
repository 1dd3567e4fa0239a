package dev.talaria.engine.sandbox;

import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import java.util.function.Consumer;
import java.util.function.Function;

/// Files that are uploaded into a sandbox before its first command, and downloaded before it is closed.
@FunctionalInterface
public interface SandboxContent {
    /// No files.
    SandboxContent NONE = (_, _, _, _) -> _ -> {};

    /// Uploads the files into a sandbox. Each sandbox calls this once, and again if it failed.
    ///
    /// @param sandbox the name of the sandbox, for messages
    /// @param relays returns the sandbox's relay
    /// @param progress takes one line at a time, for the calls that wait
    /// @return the uploaded files
    Uploaded upload(String sandbox, Function<Patience, Relay> relays, Consumer<String> progress, Patience patience);

    /// The files that were uploaded into one sandbox.
    @FunctionalInterface
    interface Uploaded {
        /// Downloads what commands have changed, after the last command. Failures are logged, since no call
        /// waits for this.
        void download(Function<Patience, Relay> relays);
    }
}
