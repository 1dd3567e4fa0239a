package dev.talaria.api;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An open sandbox. Commands run in it from {@link Backend#open} until {@link #close}. A new kind of sandbox
/// implements the four methods without a default and declares with the others what it can do.
///
/// ```java
/// Sandbox local = Backends.find("local").orElseThrow().open(SandboxSpec.empty());
/// Sandbox polite = new Sandbox() {
///     @Override
///     public String name() {
///         return "polite";
///     }
///
///     @Override
///     public Isolation isolation() {
///         return Isolation.NONE;
///     }
///
///     @Override
///     public RunningProcess start(Command command) {
///         List<String> argv = new ArrayList<>(List.of("nice"));
///         argv.addAll(command.argv());
///         return local.start(new Command(argv, command.cwd(), command.environment()));
///     }
///
///     @Override
///     public void close() {
///         local.close();
///     }
/// };
/// ```
public interface Sandbox extends AutoCloseable {

    /// Returns a short name for messages and the audit log, such as `local` or `docker:build-box`.
    String name();

    /// Returns how the sandbox is separated from this machine.
    Isolation isolation();

    /// Returns whether host and sandbox share files, processes and Unix sockets, so that scripts can reach the
    /// host's own socket. Most sandboxes share none of them.
    default boolean sharesHost() {
        return false;
    }

    /// Returns whether the host's interpreters work in the sandbox at their own paths and scripts can reach the
    /// host's own socket. Nothing else has to be shared; see {@link HostView}.
    default boolean showsHost() {
        return sharesHost();
    }

    /// Returns whether a careless command in the sandbox can damage a machine that people depend on. That is
    /// this machine, reached through weak isolation, a mount or a socket, or another machine that is more than
    /// a sandbox.
    default boolean reachesHost() {
        return isolation().compareTo(Isolation.CONTAINER) < 0;
    }

    /// Returns what a careless command in the sandbox can damage. If the set is empty, only the hard floor and
    /// the user's deny rules count. A sandbox that names less than everything has proved it from inside.
    default Set<ReachableArea> reach() {
        return reachesHost() ? Set.of(ReachableArea.values()) : Set.of();
    }

    /// Returns whether a process in the sandbox can outlive Talaria and be found again by its process id and
    /// start time, as on this machine.
    default boolean keepsProcesses() {
        return false;
    }

    /// Returns whether a command can connect to a socket of the host by its path.
    default boolean reachesSockets() {
        return showsHost();
    }

    /// Returns whether the kernel ends everything that a command has started when the command ends, whatever the
    /// command did to escape.
    default boolean endsWithCommand() {
        return false;
    }

    /// Returns whether a command that ended like this never reached the sandbox. The network or a daemon was
    /// away for a moment, nothing was done, and the same command may work a little later.
    ///
    /// @param status the exit code of the command
    /// @param said the text that the command printed on stderr
    default boolean neverReached(int status, String said) {
        return false;
    }

    /// Asks the sandbox whether it still exists. A container may have been removed, a machine may have been
    /// rebooted. A sandbox that cannot be reached for the moment counts as one that exists.
    default boolean alive() {
        return true;
    }

    /// Returns the memory and disk space that the sandbox uses now, as far as it can tell.
    default Usage usage() {
        return Usage.UNKNOWN;
    }

    /// Returns a sentence that says why a file would be gone when the sandbox is closed, and where it would
    /// stay; empty if the file stays.
    ///
    /// @param path the path of the file: absolute, from the home folder (`~`), or from the working folder
    default Optional<String> fleeting(String path) {
        return Optional.empty();
    }

    /// Returns sentences that say where the sandbox differs from its spec: a folder that could not be used, a
    /// limit that is not enforced.
    default List<String> remarks() {
        return List.of();
    }

    /// Returns the working folder in the sandbox for a folder that the user chose. A folder of the host may have
    /// another path in the sandbox, or none.
    default String folder(String wanted) {
        return wanted;
    }

    /// Returns a sentence if the sandbox is the reason of a failure, such as no network or too few processes.
    /// The sentence names the setting that would help.
    ///
    /// @param output the output of the failed command or script, or a part of it
    default Optional<String> advice(String output) {
        return Optional.empty();
    }

    /// Starts a command without a shell.
    ///
    /// @throws SandboxException if the command could not be started
    RunningProcess start(Command command);

    /// Ends the sandbox and frees what it used. A second call does nothing.
    @Override
    void close();
}
