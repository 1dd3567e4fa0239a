package dev.talaria.backends.ssh;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class SshContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.ssh();
    }
}
