package dev.talaria.backends.local;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class LocalStreamTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localStream();
    }
}
