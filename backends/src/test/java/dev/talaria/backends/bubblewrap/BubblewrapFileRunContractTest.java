package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class BubblewrapFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapFile();
    }
}
