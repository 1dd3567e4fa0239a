package dev.talaria.api;

import java.nio.file.Path;
import java.util.List;

/// What a sandbox on this machine shows and hides of the machine, whatever its own rules are. Only backends that
/// {@linkplain Backend#heedsHostView() say so} follow it.
///
/// ```java
/// HostView data = new HostView(List.of(Path.of("/srv/data")), List.of(), List.of(Path.of("/srv/data/keys")));
/// SandboxSpec spec = SandboxSpec.empty().with(data);
/// ```
///
/// @param shown folders that can be read inside at their own paths, with the sockets in them
/// @param interpreters Python interpreters that work inside at their own paths, with everything they load
/// @param hidden files and folders that nobody inside can see or create, whether they exist yet or not
public record HostView(List<Path> shown, List<Path> interpreters, List<Path> hidden) {
    /// A view that shows nothing and hides nothing.
    public static final HostView NONE = new HostView(List.of(), List.of(), List.of());

    public HostView {
        shown = List.copyOf(shown);
        interpreters = List.copyOf(interpreters);
        hidden = List.copyOf(hidden);
    }
}
