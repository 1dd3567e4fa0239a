package dev.talaria.backends.prefix;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;

class PrefixContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.prefix();
    }
}
