package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class BubblewrapClosedContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.bubblewrapClosed();
    }
}
