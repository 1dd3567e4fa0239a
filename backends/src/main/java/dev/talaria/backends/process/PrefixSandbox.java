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

/// A place that is reached by words in front of argv, such as `docker exec -i NAME`, and that was there before us.
///
/// {@link RunningProcess#kill()} ends the client here; what runs at the other end may live on, and is the
/// relay's or the launcher's to end.
///
/// @param name short name for messages
/// @param isolation what the place keeps out
/// @param prefix how a command becomes a client's
/// @param reaches whether a careless command there can hurt a machine that people depend on; asked when it matters
/// @param away whether a client that ended like this never reached the place
/// @param started what a client that was started is used by
public record PrefixSandbox(
        String name,
        Isolation isolation,
        Prefix prefix,
        BooleanSupplier reaches,
        Predicate<Client.Trial> away,
        UnaryOperator<RunningProcess> started)
        implements Sandbox {

    /// Says how a client runs a command elsewhere.
    @FunctionalInterface
    public interface Prefix {

        /// Returns the client's argv.
        ///
        /// @param argv what to run in the sandbox
        /// @param cwd where to run it; the sandbox's own folder if absent
        List<String> of(List<String> argv, Optional<String> cwd);
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
        return started.apply(
                LocalProcess.start(prefix.of(command.argv(), command.cwd()), Optional.empty(), Optional.empty()));
    }

    @Override
    public void close() {
        // The place was there before us, and stays.
    }
}
