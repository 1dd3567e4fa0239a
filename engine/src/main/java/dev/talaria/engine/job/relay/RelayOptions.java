package dev.talaria.engine.job.relay;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Options for the start of a relay.
///
/// @param python the interpreter, with any words that must stand before it
/// @param socketFolder the folder of the socket that the relay connects to, on a shared machine; if
///     absent, frames go through stdin and stdout
/// @param heartbeat when a silent relay counts as dead
/// @param early the interpreter for scripts, which is started at the same time
/// @param compiled the folder for the compiled program, on this machine
public record RelayOptions(
        List<String> python,
        Optional<Path> socketFolder,
        Heartbeat heartbeat,
        Optional<Interpreter> early,
        Optional<Path> compiled) {

    /// An interpreter and the environment it starts in.
    public record Interpreter(String python, Map<String, String> environment) {}

    /// How often a relay must show that it lives.
    ///
    /// @param every the interval between questions
    /// @param silence how long the relay may be silent
    public record Heartbeat(Duration every, Duration silence) {
        /// After a network failure of 30 s, TCP may take as long again until its next attempt. The relay
        /// itself waits for the host longer still.
        static final Heartbeat STANDARD = new Heartbeat(Duration.ofSeconds(15), Duration.ofSeconds(75));
    }

    public RelayOptions {
        python = List.copyOf(python);
    }

    public static RelayOptions standard(List<String> python) {
        return new RelayOptions(python, Optional.empty(), Heartbeat.STANDARD, Optional.empty(), Optional.empty());
    }

    /// Returns the same options with an interpreter to start early.
    public RelayOptions with(Interpreter interpreter) {
        return new RelayOptions(python, socketFolder, heartbeat, Optional.of(interpreter), compiled);
    }

    /// Returns the same options with a socket in a folder.
    public RelayOptions connecting(Path folder) {
        return new RelayOptions(python, Optional.of(folder), heartbeat, early, compiled);
    }

    /// Returns the same options with another heartbeat.
    public RelayOptions with(Heartbeat other) {
        return new RelayOptions(python, socketFolder, other, early, compiled);
    }

    /// Returns the same options with a folder for the compiled program.
    public RelayOptions keptIn(Path folder) {
        return new RelayOptions(python, socketFolder, heartbeat, early, Optional.of(folder));
    }
}
