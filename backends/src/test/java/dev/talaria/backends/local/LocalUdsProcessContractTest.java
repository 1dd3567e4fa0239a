package dev.talaria.backends.local;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class LocalUdsProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localUds();
    }
}
