package dev.talaria.backends.prefix;

import dev.talaria.testkit.Places;
import dev.talaria.testkit.SandboxContract;
import dev.talaria.testkit.SandboxPlace;

class PrefixContractTest extends SandboxContract {
    @Override
    protected SandboxPlace place() {
        return Places.prefix();
    }
}
