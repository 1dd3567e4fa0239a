package dev.talaria.backends.ssh;

import dev.talaria.testkit.ProcessRunContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class SshUserProcessContractTest extends ProcessRunContract {
    @Override
    protected RunTarget target() {
        return RunTargets.sshUserStream();
    }
}
