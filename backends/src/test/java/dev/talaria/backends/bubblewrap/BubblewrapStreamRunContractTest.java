package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.SocketRunContract;

class BubblewrapStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapStream();
    }
}
