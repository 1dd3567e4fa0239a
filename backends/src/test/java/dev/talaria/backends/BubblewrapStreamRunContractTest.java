package dev.talaria.backends;

import static dev.talaria.testkit.Behaviour.OWN_PROCESS_NUMBERS;
import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.SHARES_WORKING_FOLDER;
import static dev.talaria.testkit.Behaviour.SOCKET;
import static dev.talaria.testkit.Behaviour.WHOLE_TREE;

import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunPlace;
import dev.talaria.testkit.SocketRunContract;
import dev.talaria.testkit.Testbed;
import java.util.Map;

class BubblewrapStreamRunContractTest extends SocketRunContract {
    @Override
    protected RunPlace place() {
        return Testbed.value("BWRAP")
                .map(_ -> RunPlace.of(
                        "bubblewrap", Map.of(), Transport.STREAM, SHARES_WORKING_FOLDER, OWN_PROCESS_NUMBERS, SOCKET, WHOLE_TREE, PROCESS_LIMIT))
                .orElseGet(() -> RunPlace.missing("bubblewrap", Testbed.whyMissing("bwrap")));
    }
}
