package dev.talaria.backends.ssh;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SocketRunContract;

class SshUserStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.sshUserStream();
    }
}
