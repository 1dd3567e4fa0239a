package dev.talaria.backends;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;

class PodmanFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.podmanFile();
    }
}
