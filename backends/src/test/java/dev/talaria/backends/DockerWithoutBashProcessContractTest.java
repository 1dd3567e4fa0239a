package dev.talaria.backends;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;

class DockerWithoutBashProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.dockerWithoutBash();
    }
}
