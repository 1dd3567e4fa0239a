package dev.talaria.backends.ssh;

import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;
import dev.talaria.testkit.SocketRunContract;

class SshUserStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.sshUserStream();
    }
}
