package dev.talaria.api;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Opens sandboxes of one kind. Found by {@link java.util.ServiceLoader}; a new backend is one package plus a contract
/// test.
public interface Backend {

    /// Returns the name users choose it by, such as `local` or `docker`.
    String name();

    /// Returns whether its sandboxes show and hide what {@link SandboxSpec#host()} says; finding that out costs a
    /// little.
    default boolean heedsHostView() {
        return false;
    }

    /// Returns whether its sandboxes work in a folder of this machine, under the same path.
    default boolean worksInHostFolders() {
        return false;
    }

    /// Returns whether its sandboxes isolate, so that whoever writes a project's file may choose a program in them.
    /// Another machine does not: it is more than a sandbox. What is not known counts as no.
    default boolean isolates() {
        return false;
    }

    /// Returns the name of the option that keeps something of a sandbox for the next one of the same session,
    /// if there is one. Its value is `true` or `false`.
    default Optional<String> keepOption() {
        return Optional.empty();
    }

    /// Returns whether all sessions share what is kept of a sandbox with these options; else each session has
    /// its own.
    default boolean sharesWhatItKeeps(Map<String, String> options) {
        return false;
    }

    /// Opens a sandbox.
    ///
    /// @throws SandboxException if the place is not to be had; the message says what to do about it
    Sandbox open(SandboxSpec spec);

    /// Opens a sandbox, and says how it goes on if that takes a while: an image has to be fetched or made.
    ///
    /// @param progress takes lines for whoever waits, from any thread
    /// @throws SandboxException as above
    default Sandbox open(SandboxSpec spec, Consumer<String> progress) {
        return open(spec);
    }

    /// Returns whether {@link #open} makes something that would outlive a killed Talaria, so that {@link #remove} has
    /// something to do.
    default boolean leavesThings() {
        return false;
    }

    /// Removes what {@link #open} made outside for this spec and {@link Sandbox#close} did not take away, since Talaria
    /// was killed before, perhaps in the middle of opening. Nothing there is no error.
    ///
    /// @throws SandboxException if it may still be there: the place is away, or refuses
    default void remove(SandboxSpec spec) {}

    /// Returns what the sandbox takes up that was opened for this spec, by this Talaria or another, as far as one quick
    /// look from outside tells. One that is not there takes up nothing that anybody knows of.
    ///
    /// @throws SandboxException if the place is away
    default Usage usage(SandboxSpec spec) {
        return Usage.UNKNOWN;
    }
}
