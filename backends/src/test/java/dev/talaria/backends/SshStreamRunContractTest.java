package dev.talaria.backends;

import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.SOCKET;
import static dev.talaria.testkit.Behaviour.WHOLE_TREE;

import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;
import dev.talaria.testkit.Testbed;
import java.util.Map;

class SshStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return Testbed.value("SSH_HOST")
                .map(host -> RunPlace.of(
                        "ssh", Map.of("host", host, "config", Testbed.value("SSH_CONFIG").orElseThrow()), Transport.STREAM, SOCKET, WHOLE_TREE, PROCESS_LIMIT))
                .orElseGet(() -> RunPlace.missing("ssh", Testbed.whyMissing("ssh")));
    }
}
