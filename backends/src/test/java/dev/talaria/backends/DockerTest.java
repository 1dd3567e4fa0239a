package dev.talaria.backends;

import dev.talaria.testkit.SandboxPlace;

class DockerTest extends ContainerTest {
    @Override
    SandboxPlace place() {
        return Places.docker();
    }
}
