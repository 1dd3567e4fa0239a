package dev.talaria.engine.sandbox;

import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import java.util.function.Consumer;
import java.util.function.Function;

/// What goes into a sandbox before its first command, and comes back when it is closed.
@FunctionalInterface
public interface SandboxContent {
    /// There is none.
    SandboxContent NONE = (_, _, _, _) -> _ -> {};

    /// Brings it in, before the first command. Called once for each sandbox, and again if it failed.
    ///
    /// @param sandbox its name, for messages
    /// @param relays returns the sandbox's relay
    /// @param progress takes lines for whoever waits
    /// @return what takes back what there is to take, after the last command
    Uploaded upload(String sandbox, Function<Patience, Relay> relays, Consumer<String> progress, Patience patience);

    /// The way back.
    @FunctionalInterface
    interface Uploaded {
        /// Takes it back. What goes wrong is logged: nobody waits for it.
        void download(Function<Patience, Relay> relays);
    }
}
