package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class BubblewrapWorkspaceEscapeTest extends EscapeContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapBounded("workspace");
    }

    @Override
    protected boolean sharesNetwork() {
        return true;
    }
}
