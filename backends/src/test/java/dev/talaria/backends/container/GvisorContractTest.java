package dev.talaria.backends.container;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class GvisorContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.gvisor();
    }
}
