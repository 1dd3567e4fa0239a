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

    /// Its kernel is one process of this machine, which the bounds are meant for.
    @Override
    protected boolean outlivesItsBounds() {
        return false;
    }

    /// Only a privileged user may talk to the engine; inside, it is somebody without any right.
    @Override
    protected boolean needsOrdinaryUser() {
        return false;
    }
}
