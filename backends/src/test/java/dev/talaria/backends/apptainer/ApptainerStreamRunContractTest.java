package dev.talaria.backends.apptainer;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.SocketRunContract;

class ApptainerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerStream();
    }
}
