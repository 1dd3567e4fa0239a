package dev.talaria.backends;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;

class ApptainerProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerStream();
    }
}
