package dev.talaria.backends.ssh;

import dev.talaria.testkit.FileElsewhereContract;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.RunPlaces;

class SshFileRunContractTest extends FileElsewhereContract {
    @Override
    protected RunPlace place() {
        return RunPlaces.sshFile();
    }
}
