package dev.talaria.backends.container;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class DockerContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.docker();
    }
}
