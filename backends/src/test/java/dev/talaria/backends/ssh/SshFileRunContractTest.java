package dev.talaria.backends.ssh;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;

class SshFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunTarget target() {
        return RunTargets.sshFile();
    }
}
