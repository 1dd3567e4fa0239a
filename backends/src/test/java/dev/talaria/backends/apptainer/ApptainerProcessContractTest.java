package dev.talaria.backends.apptainer;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class ApptainerProcessContractTest extends ProcessRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.apptainerStream();
    }
}
