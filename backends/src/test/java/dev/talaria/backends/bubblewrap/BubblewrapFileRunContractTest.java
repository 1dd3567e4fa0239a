package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class BubblewrapFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapFile();
    }
}
