package dev.talaria.backends.prefix;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class PrefixContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.prefix();
    }
}
