package dev.talaria.backends;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunPlace;

class SshUserProcessContractTest extends ProcessRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.sshUserStream();
    }
}
