package dev.talaria.backends.apptainer;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class ApptainerTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.apptainerStream();
    }
}
