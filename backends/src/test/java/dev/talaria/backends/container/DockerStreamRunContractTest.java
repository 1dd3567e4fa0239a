package dev.talaria.backends.container;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SocketRunContract;

class DockerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.dockerStream();
    }
}
