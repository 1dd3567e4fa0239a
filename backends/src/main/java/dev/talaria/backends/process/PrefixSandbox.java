package dev.talaria.backends.process;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// An existing place that is reached by words in front of argv, such as `docker exec -i NAME`.
///
/// {@link RunningProcess#kill()} ends the client here. The process at the other end may live on; the
/// relay or the launcher ends it.
///
/// @param name a short name for messages
/// @param isolation what the place keeps out
/// @param prefix turns a command into a client's command
/// @param reaches whether a careless command there can damage a machine that people depend on; asked
///     when it matters
/// @param away whether a client that ended like this never reached the place
/// @param started wraps a client that was started
public record PrefixSandbox(
        String name,
        Isolation isolation,
        Prefix prefix,
        BooleanSupplier reaches,
        Predicate<Client.Trial> away,
        UnaryOperator<RunningProcess> started)
        implements Sandbox {

    /// Turns a command into a client's command.
    @FunctionalInterface
    public interface Prefix {

        /// Returns the client's argv.
        ///
        /// @param command what to run in the sandbox; in the sandbox's own folder if it has none
        List<String> of(Command command);
    }

    @Override
    public boolean sharesHost() {
        return false;
    }

    @Override
    public boolean reachesHost() {
        return reaches.getAsBoolean();
    }

    @Override
    public boolean neverReached(int status, String said) {
        return away.test(new Client.Trial(Optional.of(status), said));
    }

    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        return started.apply(LocalProcess.start(Command.of(prefix.of(command))));
    }

    @Override
    public void close() {
        // The place existed before us, and stays.
    }
}
