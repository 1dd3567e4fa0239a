package dev.talaria.backends.ssh;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class SshContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.ssh();
    }
}
