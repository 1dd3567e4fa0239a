package dev.talaria.backends;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class ApptainerContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.apptainer();
    }
}
