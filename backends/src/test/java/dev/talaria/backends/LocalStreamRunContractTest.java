package dev.talaria.backends;

import static dev.talaria.testkit.Behaviour.HOST_ENVIRONMENT;
import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.SHARES_HOST;
import static dev.talaria.testkit.Behaviour.SHARES_WORKING_FOLDER;
import static dev.talaria.testkit.Behaviour.SOCKET;
import static dev.talaria.testkit.Behaviour.WHOLE_TREE;

import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;
import java.util.Map;

class LocalStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return RunPlace.of(
                "local", Map.of(), Transport.STREAM, SHARES_HOST, SHARES_WORKING_FOLDER, HOST_ENVIRONMENT, SOCKET, WHOLE_TREE, PROCESS_LIMIT);
    }
}
