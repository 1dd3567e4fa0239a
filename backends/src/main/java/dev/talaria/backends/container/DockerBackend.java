package dev.talaria.backends.container;

/// Containers of a Docker engine.
public final class DockerBackend extends ContainerBackend {

    public DockerBackend() {
        super(ContainerKind.DOCKER);
    }
}
