package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class BubblewrapClosedProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapClosed();
    }
}
