package dev.talaria.backends.local;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class LocalUdsTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.localUds();
    }
}
