package dev.talaria.backends.container;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class DockerProcessContractTest extends ProcessRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.dockerStream();
    }
}
