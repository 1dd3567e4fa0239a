package dev.talaria.backends.local;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class LocalContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.local();
    }
}
