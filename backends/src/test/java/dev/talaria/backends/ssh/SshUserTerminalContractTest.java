package dev.talaria.backends.ssh;

import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.TerminalContract;

class SshUserTerminalContractTest extends TerminalContract {
    @Override
    protected RunTarget target() {
        return RunTargets.sshUserStream();
    }
}
