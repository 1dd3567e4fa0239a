package dev.talaria.backends.apptainer;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class ApptainerFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerFile();
    }
}
