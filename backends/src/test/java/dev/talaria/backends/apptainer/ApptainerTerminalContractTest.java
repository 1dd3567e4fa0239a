package dev.talaria.backends.apptainer;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class ApptainerTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.apptainerStream();
    }
}
