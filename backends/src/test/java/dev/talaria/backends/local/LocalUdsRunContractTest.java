package dev.talaria.backends.local;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SocketRunContract;

class LocalUdsRunContractTest extends SocketRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.localUds();
    }
}
