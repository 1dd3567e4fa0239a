package dev.talaria.backends.container;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class DockerWithoutBashProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.dockerWithoutBash();
    }
}
