package dev.talaria.backends.apptainer;

import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;

class ApptainerContractTest extends SandboxContract {
    @Override
    protected TestSandbox target() {
        return TestSandboxes.apptainer();
    }
}
