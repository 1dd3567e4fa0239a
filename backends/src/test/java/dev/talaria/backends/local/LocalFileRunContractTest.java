package dev.talaria.backends.local;

import dev.talaria.testkit.FileRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class LocalFileRunContractTest extends FileRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localFile();
    }
}
