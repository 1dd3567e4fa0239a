package dev.talaria.backends.container;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class DockerWithoutBashTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.dockerWithoutBash();
    }
}
