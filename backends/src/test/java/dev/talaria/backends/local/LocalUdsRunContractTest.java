package dev.talaria.backends.local;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.SocketRunContract;

class LocalUdsRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localUds();
    }
}
