package dev.talaria.backends;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunPlace;

class BubblewrapWorkspaceEscapeTest extends EscapeContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapBounded("workspace");
    }

    @Override
    protected boolean sharesNetwork() {
        return true;
    }
}
