package dev.talaria.backends.local;

import dev.talaria.testkit.FileRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class LocalFileRunContractTest extends FileRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.localFile();
    }
}
