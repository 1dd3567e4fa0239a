package dev.talaria.backends.apptainer;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class ApptainerFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunTarget target() {
        return RunTargets.apptainerFile();
    }
}
