package dev.talaria.backends.ssh;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;

class SshFishContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.sshFish();
    }
}
