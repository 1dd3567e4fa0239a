package dev.talaria.backends;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;

class BubblewrapClosedProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapClosed();
    }
}
