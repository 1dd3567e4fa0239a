package dev.talaria.backends;

import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.SOCKET;
import static dev.talaria.testkit.Behaviour.WHOLE_TREE;

import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;
import dev.talaria.testkit.Testbed;
import java.util.Map;

class DockerStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return Testbed.value("DOCKER_CONTAINER")
                .map(container -> RunPlace.of(
                        "docker", Map.of("container", container), Transport.STREAM, SOCKET, WHOLE_TREE, PROCESS_LIMIT))
                .orElseGet(() -> RunPlace.missing("docker", Testbed.whyMissing("docker")));
    }
}
