package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class BubblewrapClosedContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.bubblewrapClosed();
    }
}
