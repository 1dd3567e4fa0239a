package dev.talaria.backends.apptainer;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class ApptainerProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerStream();
    }
}
