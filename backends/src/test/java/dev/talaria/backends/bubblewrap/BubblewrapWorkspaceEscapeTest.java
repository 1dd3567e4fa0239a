package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

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
