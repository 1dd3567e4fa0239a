package dev.talaria.backends.apptainer;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class ApptainerContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.apptainer();
    }
}
