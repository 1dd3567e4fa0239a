package dev.talaria.backends.container;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class PodmanFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunTarget target() {
        return RunTargets.podmanFile();
    }
}
