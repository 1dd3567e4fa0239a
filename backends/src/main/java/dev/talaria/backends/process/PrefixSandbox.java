package dev.talaria.backends.process;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// An existing sandbox that is reached by words in front of argv, such as `docker exec -i NAME`.
///
/// {@link RunningProcess#kill()} ends the client here. The process at the other end may live on; the
/// relay or the launcher ends it.
///
/// @param name a short name for messages
/// @param isolation what the sandbox keeps out
/// @param prefix turns a command into a client's argv; one without a folder runs in the sandbox's own
/// @param reaches whether a careless command there can damage a machine that people depend on; asked
///     when it matters
/// @param away whether a client that said this never reached the sandbox
/// @param started wraps a client that was started
public record PrefixSandbox(
        String name,
        Isolation isolation,
        Function<Command, List<String>> prefix,
        BooleanSupplier reaches,
        Predicate<String> away,
        UnaryOperator<RunningProcess> started)
        implements Sandbox {

    @Override
    public boolean reachesHost() {
        return reaches.getAsBoolean();
    }

    @Override
    public boolean neverReached(int status, String said) {
        return away.test(said);
    }

    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        return started.apply(LocalProcess.start(Command.of(prefix.apply(command))));
    }

    @Override
    public void close() {
        // The sandbox existed before us, and stays.
    }
}
