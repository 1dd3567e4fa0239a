package dev.talaria.backends.container;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxPlace;

class PodmanTest extends ContainerTest {
    @Override
    SandboxPlace place() {
        return Places.podman();
    }
}
