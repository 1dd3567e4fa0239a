package dev.talaria.backends;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;

class ApptainerFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerFile();
    }
}
