package dev.talaria.backends.apptainer;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SocketRunContract;

class ApptainerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.apptainerStream();
    }
}
