package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class BubblewrapContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.bubblewrap();
    }
}
