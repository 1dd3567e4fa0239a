package dev.talaria.backends.container;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class GvisorEscapeTest extends EscapeContract {
    @Override
    protected RunTarget target() {
        return RunTargets.dockerBounded("runsc", "gvisor");
    }

    @Override
    protected boolean sharesNetwork() {
        return false;
    }

    /// Its kernel is one process of this machine, which the limits count.
    @Override
    protected boolean outlivesItsBounds() {
        return false;
    }

    /// Only a privileged user may talk to the engine. Inside, the user has no rights.
    @Override
    protected boolean needsOrdinaryUser() {
        return false;
    }
}
