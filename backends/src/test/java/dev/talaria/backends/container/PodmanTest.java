package dev.talaria.backends.container;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.TestSandbox;

class PodmanTest extends ContainerTest {
    @Override
    TestSandbox target() {
        return TestSandboxes.podman();
    }
}
