package dev.talaria.backends.container;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.SocketRunContract;

class DockerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.dockerStream();
    }
}
