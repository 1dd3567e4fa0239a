package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class BubblewrapClosedProcessContractTest extends ProcessRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapClosed();
    }
}
