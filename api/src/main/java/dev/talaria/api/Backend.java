package dev.talaria.api;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Opens sandboxes of one kind. {@link Backends} finds backends with {@link java.util.ServiceLoader}. A program can
/// also give one to its engine.
///
/// ```java
/// Backend local = Backends.find("local").orElseThrow();
/// Backend temporary = new Backend() {
///     @Override
///     public String name() {
///         return "temporary";
///     }
///
///     @Override
///     public Sandbox open(SandboxSpec spec) {
///         return local.open(spec.in("/tmp"));
///     }
/// };
/// Engine engine = Engine.builder().backend(temporary).build();
/// ```
public interface Backend {

    /// Returns the name by which users choose this backend, such as `local` or `docker`.
    String name();

    /// Returns whether this backend's sandboxes show and hide what {@link SandboxSpec#host()} says. The engine
    /// works the view out only if they do.
    default boolean heedsHostView() {
        return false;
    }

    /// Returns whether this backend's sandboxes work in a folder of this machine, under the same path.
    default boolean worksInHostFolders() {
        return false;
    }

    /// Returns whether this backend's sandboxes isolate, so that a project's own file may choose a program in
    /// them. Another machine does not isolate: it is more than a sandbox. A backend that cannot tell returns
    /// false.
    default boolean isolates() {
        return false;
    }

    /// Returns the name of the option that keeps files of a sandbox for the next one of the same session;
    /// empty if the backend has none. The option's value is `true` or `false`.
    default Optional<String> keepOption() {
        return Optional.empty();
    }

    /// Returns whether all sessions share what is kept of a sandbox. Otherwise each session has its own.
    ///
    /// @param options the options of the sandbox
    default boolean sharesWhatItKeeps(Map<String, String> options) {
        return false;
    }

    /// Opens a sandbox.
    ///
    /// @throws SandboxException if the sandbox cannot be opened; the message says what to do about it
    Sandbox open(SandboxSpec spec);

    /// Opens a sandbox and reports progress if that takes a while, since an image is pulled or built.
    ///
    /// @param progress takes one line at a time, for the people who wait; any thread may call it
    /// @throws SandboxException if the sandbox cannot be opened; the message says what to do about it
    default Sandbox open(SandboxSpec spec, Consumer<String> progress) {
        return open(spec);
    }

    /// Returns whether {@link #open} makes something that outlives a killed Talaria, such as a container. If
    /// so, the engine calls {@link #remove} later.
    default boolean leavesThings() {
        return false;
    }

    /// Removes what {@link #open} made for this spec. The engine calls this when Talaria was killed before
    /// {@link Sandbox#close}, perhaps while the sandbox was being opened. It is no error if there is nothing to
    /// remove.
    ///
    /// @throws SandboxException if something may still be there, since the backend cannot be reached or refuses
    default void remove(SandboxSpec spec) {}

    /// Returns the memory and disk space of the sandbox with this spec, as far as one quick look from outside
    /// tells. This Talaria or another may have opened it. A sandbox that does not exist has an unknown usage.
    ///
    /// @throws SandboxException if the backend cannot be reached
    default Usage usage(SandboxSpec spec) {
        return Usage.UNKNOWN;
    }
}
