package dev.talaria.engine.terminal;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.start.Exit;
import dev.talaria.engine.start.JobSpec.Line.Start;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.start.Supervisor;
import dev.talaria.engine.start.Supervisor.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// The login shells' snapshots: one for each relay, taken before its first command line. The relay keeps them.
public final class Snapshots {
    /// A profile may ask a server or wait for input that never comes.
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final Shell shell;
    private final Map<Relay, CompletableFuture<Optional<String>>> taken = new ConcurrentHashMap<>();

    public Snapshots(Shell shell) {
        this.shell = shell;
    }

    /// Has the snapshot taken if there is none; returns why that failed, if it did.
    ///
    /// @throws dev.talaria.engine.start.GaveUpException if the call could not wait for it
    public Optional<String> await(Relay relay, Workplace workplace, Patience patience) {
        CompletableFuture<Optional<String>> known = taken.get(relay);
        return known != null && known.isDone() ? known.join() : patience.await(begun(relay, workplace));
    }

    private CompletableFuture<Optional<String>> begun(Relay relay, Workplace workplace) {
        taken.keySet().removeIf(other -> !other.alive());
        return taken.computeIfAbsent(relay, _ -> {
            CompletableFuture<Optional<String>> coming = new CompletableFuture<>();
            // A thread of its own: the call that came first may leave, the others still want it.
            Thread.ofVirtual().name("shell-snapshot").start(() -> coming.complete(take(relay, workplace)));
            return coming;
        });
    }

    private Optional<String> take(Relay relay, Workplace workplace) {
        try {
            Outcome outcome = Supervisor.await(
                    relay.start(shell.program("", Optional.empty(), workplace, Start.SNAPSHOT), (_, _) -> {}),
                    Deadline.after(LONGEST),
                    new Cancellation());
            return switch (outcome) {
                case Outcome.Ended(Exit exit) ->
                    exit.shell().flatMap(Exit.ShellEnd::cwd).isPresent() ? Optional.empty() : Optional.of(why(exit));
                case Outcome.TimedOut _ ->
                    Optional.of("it did not get through its profile within " + LONGEST.toSeconds() + " s");
                case Outcome.Cancelled(Exit _, String reason) -> Optional.of(reason);
            };
        } catch (SandboxException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static String why(Exit exit) {
        return exit.notStarted()
                .or(exit::lost)
                .orElseGet(() -> "its profile ended it with exit code " + exit.shellCode());
    }
}
