package dev.talaria.backends.process;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// A place that is reached by words in front of argv, such as `docker exec -i NAME`: the mechanics of all such
/// backends.
///
/// {@link RunningProcess#kill()} ends the client here; what runs at the other end may live on, and is the
/// relay's or the launcher's to end.
///
/// @param name short name for messages
/// @param isolation what the place keeps out
/// @param prefix how a command becomes a client's
/// @param environments whether a command's environment can be given at all: the client is then started with it
/// @param environment what the client is started with otherwise; absent means all of ours
/// @param reaches whether a careless command there can hurt a machine that people depend on; asked when it matters
/// @param away whether a client that ended like this never reached the place
/// @param release gives back what was opened; called once per close
public record PrefixSandbox(
        String name,
        Isolation isolation,
        Prefix prefix,
        boolean environments,
        Optional<Map<String, String>> environment,
        BooleanSupplier reaches,
        Predicate<Client.Trial> away,
        Runnable release)
        implements Sandbox {

    /// Makes a sandbox for a place that was there before us and stays.
    public PrefixSandbox(
            String name, Isolation isolation, Prefix prefix, BooleanSupplier reaches, Predicate<Client.Trial> away) {
        this(name, isolation, prefix, false, Optional.empty(), reaches, away, () -> {});
    }

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
        if (command.environment().isPresent() && !environments) {
            throw new SandboxException(
                    ErrorCode.NOT_SUPPORTED,
                    "Sandbox " + name + " takes no environment with a command: values would show in the process list. "
                            + "Send them over stdin.");
        }
        return LocalProcess.start(
                prefix.of(command.argv(), command.cwd()),
                Optional.empty(),
                command.environment().or(() -> environment));
    }

    @Override
    public void close() {
        release.run();
    }
}
