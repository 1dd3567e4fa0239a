package dev.talaria.backends.container;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class GvisorTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.gvisorStream();
    }
}
