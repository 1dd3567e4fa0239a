package dev.talaria.backends;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;

class ApptainerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerStream();
    }
}
