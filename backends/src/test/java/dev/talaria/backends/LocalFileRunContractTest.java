package dev.talaria.backends;

import static dev.talaria.testkit.Behaviour.HOST_ENVIRONMENT;
import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.SHARES_HOST;
import static dev.talaria.testkit.Behaviour.SHARES_WORKING_FOLDER;

import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.FileRunContract;
import dev.talaria.testkit.RunPlace;
import java.util.Map;

class LocalFileRunContractTest extends FileRunContract {
    @Override
    protected RunPlace place() {
        return RunPlace.of(
                "local", Map.of(), Transport.FILE, SHARES_HOST, SHARES_WORKING_FOLDER, HOST_ENVIRONMENT, PROCESS_LIMIT);
    }
}
