package dev.talaria.engine.shell;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.JobSpec.Line.Start;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.sandbox.SandboxLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Takes the snapshots of login shells: one for each relay, before its first command line. The relay
/// stores them.
public final class Snapshots {
    /// The limit of a snapshot: a profile may ask a server, or wait for input that never comes.
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /// Why there is no snapshot, and how shells begin instead. A profile that ends its shell or never
    /// returns would do so before every command: then commands run without it.
    public record Failure(Start instead, String why) {
        /// Returns a sentence for the caller.
        public String told() {
            return "The login shell could not be read (" + why + "), so "
                    + (instead == Start.LOGIN ? "every command starts one." : "commands run without its settings.");
        }
    }

    private final Shell shell;
    private final Map<Relay, CompletableFuture<Optional<Failure>>> taken = new ConcurrentHashMap<>();

    public Snapshots(Shell shell) {
        this.shell = shell;
    }

    /// Takes the snapshot if there is none. Returns why that failed, if it did.
    ///
    /// @throws dev.talaria.engine.job.GaveUpException if the call could not wait for it
    public Optional<Failure> await(SandboxLease lease, Patience patience) {
        Relay relay = lease.requireRelay();
        CompletableFuture<Optional<Failure>> known = taken.get(relay);
        return known != null && known.isDone() ? known.join() : patience.await(begun(relay, lease));
    }

    private CompletableFuture<Optional<Failure>> begun(Relay relay, SandboxLease lease) {
        taken.keySet().removeIf(other -> !other.alive());
        return taken.computeIfAbsent(relay, _ -> {
            CompletableFuture<Optional<Failure>> coming = new CompletableFuture<>();
            // In a thread of its own: if the first call leaves, other calls still need the snapshot.
            Thread.ofVirtual().name("shell-snapshot").start(() -> coming.complete(take(relay, lease)));
            return coming;
        });
    }

    private Optional<Failure> take(Relay relay, SandboxLease lease) {
        try {
            Outcome outcome = Supervisor.await(
                    relay.start(shell.program("", Optional.empty(), lease, Start.SNAPSHOT), (_, _) -> {}),
                    new Patience(Deadline.after(LONGEST), new Cancellation()));
            return switch (outcome) {
                case Outcome.Exited(Exit exit) ->
                    exit.shell().flatMap(Exit.ShellEnd::cwd).isPresent()
                            ? Optional.empty()
                            : Optional.of(failure(exit));
                case Outcome.TimedOut _ ->
                    Optional.of(
                            new Failure(Start.RESTORED, "its profile took longer than " + LONGEST.toSeconds() + " s"));
                case Outcome.Cancelled(Exit _, String reason) -> Optional.of(new Failure(Start.LOGIN, reason));
            };
        } catch (SandboxException e) {
            return Optional.of(new Failure(Start.LOGIN, String.valueOf(e.getMessage())));
        }
    }

    private static Failure failure(Exit exit) {
        return exit.status()
                .notStarted()
                .or(exit.status()::lost)
                .map(why -> new Failure(Start.LOGIN, why))
                .orElseGet(
                        () -> new Failure(Start.RESTORED, "its profile ended it with exit code " + exit.shellCode()));
    }
}
