package dev.talaria.backends.ssh;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.TerminalContract;

class SshUserTerminalContractTest extends TerminalContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.sshUserStream();
    }
}
