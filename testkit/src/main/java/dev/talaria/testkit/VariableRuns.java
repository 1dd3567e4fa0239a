package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests which of the host's variables commands see, and how secrets in their output are shown.
interface VariableRuns extends RunSubject {

    @Test
    default void namesThatAreLetThroughArriveInCommandsEverywhere() {
        try (Engine engine = withVariables(List.of("BUILD_NAME", "PASSED_TOKEN"))) {
            Terminal terminal = new Terminal(engine, Caller.java());
            String command = "echo \"$BUILD_NAME/${#PASSED_TOKEN}\"";

            assertThat(terminal.output(command).strip()).isEqualTo("nightly build/14");
            if (!has(Behaviour.PYTHON)) {
                return; // nothing persists, and there are no scripts
            }
            terminal.output("export BUILD_NAME=mine");
            assertThat(terminal.output(command).strip()).isEqualTo("mine/14");
            assertThat(Runs.run(
                                    engine,
                                    "from hermes_tools import terminal\nprint(terminal('echo ${#PASSED_TOKEN}')['output'])",
                                    Map.of())
                            .succeeded()
                            .strip())
                    .isEqualTo("14");
            String id = terminal.run(command, Map.of("background", true)).text("session_id");
            Map<String, Object> wait = Map.of("action", "wait", "session_id", id, "timeout", 200);
            assertThat(new RunResult(engine.call(ToolCall.of("process", wait)))
                            .output()
                            .strip())
                    .isEqualTo("mine/14");
        }
    }

    @Test
    default void commandsOnThisMachineSeeAllButSecrets() {
        try (Engine engine = withVariables(List.of())) {
            String seen = new Terminal(engine, Caller.java())
                    .output("echo \"${BUILD_NAME-none}/${SSH_AUTH_SOCK-none}/${http_proxy-none}\";"
                            + " echo \"${PASSED_TOKEN-none}/${SOME_PASS-none}/${OPENAI_BASE_URL-none}\"");

            assertThat(seen.strip())
                    .isEqualTo((has(Behaviour.SHARES_HOST) ? "nightly build//run/agent/http://proxy" : "none/none/none")
                            + "\nnone/none/none");
        }
    }

    @Test
    default void whatIsOnlyForCommandsDoesNotReachScripts() {
        if (!has(Behaviour.PYTHON)) {
            return; // there are no scripts
        }
        try (Engine engine = withVariables(List.of())) {
            new Terminal(engine, Caller.java()).output("true"); // the interpreter's first use
            String script =
                    "import os\nprint([n for n in ('BUILD_NAME', 'SSH_AUTH_SOCK', 'PYTHONHASHSEED') if n in os.environ])\n"
                            + "print(b'PYTHONHASHSEED' in open('/proc/self/environ', 'rb').read())";

            assertThat(Runs.run(engine, script, Map.of()).succeeded()).isEqualTo("[]\nFalse\n");
        }
    }

    private Engine withVariables(List<String> through) {
        Map<String, String> host = new HashMap<>(Runs.hostEnvironment());
        host.putAll(Map.of(
                "BUILD_NAME",
                "nightly build",
                "PASSED_TOKEN",
                "passed through",
                "SOME_PASS",
                "secret",
                "OPENAI_BASE_URL",
                "http://x",
                "SSH_AUTH_SOCK",
                "/run/agent",
                "http_proxy",
                "http://proxy",
                "PYTHONHASHSEED",
                "1"));
        return runs().builder(settings ->
                        settings.withEnvironment(settings.environment().plus(through)))
                .environment(host)
                .build();
    }

    @Test
    default void secretsThatVariablesAndTheirFilesHoldAreMasked() {
        Terminal terminal = Terminal.fresh(runs());
        String folder = runs().writable() + "/secrets";
        String there = "cd " + folder + " && ";
        for (String name : List.of(".env", ".bashrc", "code.py")) {
            String content = "DB_PASSWORD=swordfish\nPORT=80\n";
            call(terminal, "write_file", Map.of("path", folder + "/" + name, "content", content));
        }

        assertThat(terminal.output(there + "cat .env")).contains("DB_PASSWORD=***", "PORT=80");
        assertThat(terminal.output(there + "grep PASS .bashrc")).contains("DB_PASSWORD=***");
        assertThat(terminal.output(there + "set -a; . ./.env; set | grep DB_PASS"))
                .matches("DB_PASSWORD='?\\*\\*\\*'?\n"); // some shells quote it
        assertThat(terminal.output("X_API_KEY=abcdefghij env | grep X_API")).contains("X_API_KEY=***");
        assertThat(terminal.output(there + "cat code.py")).contains("DB_PASSWORD=swordfish");

        RunResult read = call(terminal, "read_file", Map.of("path", folder + "/.env"));
        assertThat(read.text("content")).contains("DB_PASSWORD=«redacted-secret»", "PORT=80");
        assertThat(call(terminal, "read_file", Map.of("path", folder + "/code.py"))
                        .text("content"))
                .contains("swordfish");
    }

    @Test
    default void aLongListOfSecretsIsMaskedInItsSpillFileToo() {
        Terminal terminal = Terminal.fresh(runs());
        RunResult ran = terminal.run("for i in $(seq 1 9000); do echo A_PASSWORD_$i=hunter2; done > "
                + runs().writable() + "/long.env; cat " + runs().writable() + "/long.env");

        assertThat(ran.output()).doesNotContain("hunter2");
        assertThat(call(terminal, "read_file", Map.of("path", ran.text("full_output_path"), "offset", 4000, "limit", 9))
                        .text("content"))
                .contains("A_PASSWORD_4000=")
                .doesNotContain("hunter2");
    }

    @Test
    default void aProcessThatShowsVariablesIsMaskedInAllThatIsShownOfIt() {
        Terminal terminal = Terminal.fresh(runs());
        String id = terminal.run("DB_PASSWORD=hunter2hunter2 env | grep DB_; echo done", Map.of("background", true))
                .text("session_id");

        for (String action : List.of("wait", "log", "poll")) {
            RunResult seen = call(terminal, "process", Map.of("action", action, "session_id", id));
            assertThat(seen.text(action.equals("poll") ? "output_preview" : "output"))
                    .contains("DB_PASSWORD=***", "done");
        }
        String cat = terminal.run("cat", Map.of("background", true)).text("session_id");
        call(terminal, "process", Map.of("action", "submit", "session_id", cat, "data", "printenv B_PASSWORD=hunter2"));
        call(terminal, "process", Map.of("action", "close", "session_id", cat));
        assertThat(call(terminal, "process", Map.of("action", "wait", "session_id", cat))
                        .output())
                .contains("B_PASSWORD=***");
    }

    private static RunResult call(Terminal terminal, String tool, Map<String, Object> arguments) {
        return new RunResult(terminal.engine().call(ToolCall.of(terminal.caller(), tool, arguments)));
    }
}
