package dev.talaria.backends.local;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class LocalWithoutPythonProcessContractTest extends ProcessRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.localWithoutPython();
    }
}
