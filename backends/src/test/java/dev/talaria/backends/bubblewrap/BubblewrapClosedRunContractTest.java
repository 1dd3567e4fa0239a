package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SocketRunContract;

class BubblewrapClosedRunContractTest extends SocketRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapClosed();
    }
}
