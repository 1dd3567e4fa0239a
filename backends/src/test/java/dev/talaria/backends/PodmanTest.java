package dev.talaria.backends;

import dev.talaria.testkit.SandboxPlace;

class PodmanTest extends ContainerTest {
    @Override
    SandboxPlace place() {
        return Places.podman();
    }
}
