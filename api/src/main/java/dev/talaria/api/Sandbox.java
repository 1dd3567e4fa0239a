package dev.talaria.api;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One live place where commands run.
public interface Sandbox extends AutoCloseable {

    /// Returns a short name for messages and the audit log, such as `local` or `docker:build-box`.
    String name();

    /// Returns what the sandbox keeps out.
    Isolation isolation();

    /// Returns whether host and sandbox share files, processes and Unix sockets, so that scripts can reach the
    /// host's own socket. Most places share none of them.
    default boolean sharesHost() {
        return false;
    }

    /// Returns whether the host's interpreters work here at their own paths and scripts can reach the host's own
    /// socket, however little else is shared: see {@link HostView}.
    default boolean showsHost() {
        return sharesHost();
    }

    /// Returns whether a careless command here can hurt a machine that people depend on: this one, by too little
    /// isolation, a mount or a socket; or another that is more than a sandbox.
    default boolean reachesHost() {
        return isolation().compareTo(Isolation.CONTAINER) < 0;
    }

    /// Returns what a careless command can hurt from here. Nothing means that only what never runs anywhere and the
    /// user's deny rules count. A place that names less than everything has proved it from inside.
    default Set<ReachableArea> reach() {
        return reachesHost() ? Set.of(ReachableArea.values()) : Set.of();
    }

    /// Returns whether a process here can outlive Talaria and be found again by its number and start, as on this
    /// machine.
    default boolean keepsProcesses() {
        return false;
    }

    /// Returns whether a command can connect to a socket of the host by its path, where the host's files are seen.
    default boolean reachesSockets() {
        return showsHost();
    }

    /// Returns whether all that a command has started ends with it, by the kernel's doing and whatever it did to get
    /// away.
    default boolean endsWithCommand() {
        return false;
    }

    /// Returns whether a command that ended like this never reached the place: the network or a daemon was away for a
    /// moment, nothing was done, and the same may work a little later.
    ///
    /// @param status its exit code
    /// @param said what it printed on stderr
    default boolean neverReached(int status, String said) {
        return false;
    }

    /// Returns whether the place is still there, proved by asking it: a container may have been removed, a machine
    /// rebooted. What is away for the moment only counts as there.
    default boolean alive() {
        return true;
    }

    /// Returns what it takes up now, as far as the place can tell.
    default Usage usage() {
        return Usage.UNKNOWN;
    }

    /// Returns why a file would be gone as soon as this is closed, and where one would stay, in a sentence;
    /// nothing if it stays there.
    ///
    /// @param path from the root, from the home folder (`~`), or from where work begins
    default Optional<String> fleeting(String path) {
        return Optional.empty();
    }

    /// Returns what differs here from what was asked for, in sentences for whoever asked: a folder that could not be
    /// used, a limit that is not enforced.
    default List<String> remarks() {
        return List.of();
    }

    /// Returns where work begins, if `wanted` was asked for: a folder of the host may have another name here, or none.
    default String folder(String wanted) {
        return wanted;
    }

    /// Returns what this place has to do with a failure, and which setting would change it: no network, too few
    /// processes.
    ///
    /// @param output what a failed command or script printed, or a part of it
    default Optional<String> advice(String output) {
        return Optional.empty();
    }

    /// Starts a command without a shell.
    ///
    /// @throws SandboxException if it could not be started
    RunningProcess start(Command command);

    /// Gives the place back. May be called twice.
    @Override
    void close();
}
