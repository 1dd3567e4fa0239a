package dev.talaria.backends.local;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class LocalWithoutPythonTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.localWithoutPython();
    }
}
