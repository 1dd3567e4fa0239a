package dev.talaria.backends.container;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class DockerEscapeTest extends EscapeContract {
    @Override
    protected RunTarget target() {
        return RunTargets.dockerBounded("runc", "docker");
    }

    @Override
    protected boolean sharesNetwork() {
        return false;
    }

    /// Only a privileged user may talk to the engine. Inside, the user has no rights.
    @Override
    protected boolean needsOrdinaryUser() {
        return false;
    }
}
