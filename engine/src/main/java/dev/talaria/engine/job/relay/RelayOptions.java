package dev.talaria.engine.job.relay;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a relay is started.
///
/// @param python the interpreter, and whatever must stand before it
/// @param socketFolder where the relay connects back on a shared machine; absent: frames go through stdin and stdout
/// @param lease how long the relay lives without hearing of us
/// @param startLimit how long it may take until it is ready
/// @param heartbeat when a silent relay counts as dead
/// @param early the interpreter that scripts will want, to be started at the same time
/// @param compiled folder that keeps the compiled program between starts, on this machine
public record RelayOptions(
        List<String> python,
        Optional<Path> socketFolder,
        Duration lease,
        Duration startLimit,
        Heartbeat heartbeat,
        Optional<Interpreter> early,
        Optional<Path> compiled) {

    /// An interpreter and the environment it starts in.
    public record Interpreter(String python, Map<String, String> environment) {}

    /// How a relay is listened to.
    ///
    /// @param every how often it is asked
    /// @param silence how long it may say nothing
    public record Heartbeat(Duration every, Duration silence) {
        /// A network that was away for 30 s may take as long again until TCP tries anew; the lease is longer still.
        static final Heartbeat STANDARD = new Heartbeat(Duration.ofSeconds(15), Duration.ofSeconds(75));
    }

    public RelayOptions {
        python = List.copyOf(python);
    }

    public static RelayOptions standard(List<String> python, Optional<Path> socketFolder) {
        return new RelayOptions(
                python,
                socketFolder,
                Duration.ofSeconds(90),
                Duration.ofSeconds(30),
                Heartbeat.STANDARD,
                Optional.empty(),
                Optional.empty());
    }

    /// Returns the same options with an interpreter to start early.
    public RelayOptions with(Optional<Interpreter> interpreter) {
        return new RelayOptions(python, socketFolder, lease, startLimit, heartbeat, interpreter, compiled);
    }

    /// Returns the same options with another heartbeat.
    public RelayOptions with(Heartbeat other) {
        return new RelayOptions(python, socketFolder, lease, startLimit, other, early, compiled);
    }

    /// Returns the same options with a folder for the compiled program.
    public RelayOptions keptIn(Path folder) {
        return new RelayOptions(python, socketFolder, lease, startLimit, heartbeat, early, Optional.of(folder));
    }
}
