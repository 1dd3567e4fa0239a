package dev.talaria.backends;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;

class GvisorStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.gvisorStream();
    }
}
