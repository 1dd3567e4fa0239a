package dev.talaria.backends.container;

import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class PodmanTest extends ContainerTest {
    @Override
    TestSandbox target() {
        return TestSandboxes.podman();
    }
}
