package dev.talaria.backends;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunPlace;

class BubblewrapClosedEscapeTest extends EscapeContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.bubblewrapBounded("closed");
    }

    @Override
    protected boolean sharesNetwork() {
        return false;
    }
}
