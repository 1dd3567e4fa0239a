package dev.talaria.backends.local;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;

class LocalContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.local();
    }
}
