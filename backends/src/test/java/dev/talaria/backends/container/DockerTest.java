package dev.talaria.backends.container;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.TestSandbox;

class DockerTest extends ContainerTest {
    @Override
    TestSandbox target() {
        return TestSandboxes.docker();
    }
}
