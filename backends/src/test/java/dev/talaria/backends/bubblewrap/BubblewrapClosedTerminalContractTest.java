package dev.talaria.backends.bubblewrap;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class BubblewrapClosedTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapClosed();
    }
}
