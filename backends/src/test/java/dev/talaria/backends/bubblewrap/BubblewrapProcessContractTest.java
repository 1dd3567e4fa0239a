package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class BubblewrapProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapStream();
    }
}
