package dev.talaria.backends;

import dev.talaria.testkit.FileRunContract;
import dev.talaria.testkit.RunPlace;

class LocalFileRunContractTest extends FileRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localFile();
    }
}
