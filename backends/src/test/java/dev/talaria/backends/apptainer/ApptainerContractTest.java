package dev.talaria.backends.apptainer;

import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;

class ApptainerContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.apptainer();
    }
}
