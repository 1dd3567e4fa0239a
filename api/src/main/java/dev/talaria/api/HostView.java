package dev.talaria.api;

import java.nio.file.Path;
import java.util.List;

/// What a sandbox on this machine shows or hides of it, whatever its own rules are: for backends that
/// {@linkplain Backend#heedsHostView() heed it}.
///
/// @param shown folders that can be read inside at their own paths, with the sockets in them
/// @param interpreters Pythons that work inside at their own paths, with all that they load
/// @param hidden files and folders that nobody inside can see or make, whether they are there yet or not
public record HostView(List<Path> shown, List<Path> interpreters, List<Path> hidden) {
    public static final HostView NONE = new HostView(List.of(), List.of(), List.of());

    public HostView {
        shown = List.copyOf(shown);
        interpreters = List.copyOf(interpreters);
        hidden = List.copyOf(hidden);
    }
}
