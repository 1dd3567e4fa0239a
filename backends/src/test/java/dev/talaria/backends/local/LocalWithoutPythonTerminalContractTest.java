package dev.talaria.backends.local;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class LocalWithoutPythonTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.localWithoutPython();
    }
}
