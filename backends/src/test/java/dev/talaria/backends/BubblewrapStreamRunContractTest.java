package dev.talaria.backends;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;

class BubblewrapStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapStream();
    }
}
