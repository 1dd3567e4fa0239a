package dev.talaria.backends.container;

/// Containers of Podman, which needs no daemon, and no root.
public final class PodmanBackend extends ContainerBackend {

    public PodmanBackend() {
        super(ContainerKind.PODMAN);
    }
}
