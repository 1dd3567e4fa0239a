package dev.talaria.backends.container;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class GvisorFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.gvisorFile();
    }
}
