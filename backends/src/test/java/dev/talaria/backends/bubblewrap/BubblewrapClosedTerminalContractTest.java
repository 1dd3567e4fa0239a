package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class BubblewrapClosedTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapClosed();
    }
}
