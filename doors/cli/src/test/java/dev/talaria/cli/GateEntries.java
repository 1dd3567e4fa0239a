package dev.talaria.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Answer;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.mcp.McpDoor;
import dev.talaria.testkit.Testbed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The ways of a command into the engine, each with the person whom its door can ask.
final class GateEntries {
    private GateEntries() {}

    /// The person whom the gate can ask.
    enum Person {
        SAYS_YES,
        SAYS_NO,
        NOBODY
    }

    record Situation(ApprovalMode mode, Person person) {}

    /// Runs a command and returns the answer to its caller.
    @FunctionalInterface
    interface Way {
        String run(Path home, Path work, Situation situation, String tool, Map<String, Object> arguments)
                throws Exception;
    }

    /// @param script whether a script runs the command
    /// @param typed whether the command is typed into a running shell
    record Entry(String name, boolean script, boolean typed, Way way) {
        Entry(String name, boolean script, Way way) {
            this(name, script, false, way);
        }

        String run(Path home, Path work, Situation situation, String command) throws Exception {
            return script
                    ? way.run(home, work, situation, "execute_code", Map.of("code", """
                            from hermes_tools import terminal
                            print(terminal(%s).get("error"))
                            """.formatted(Json.text(command))))
                    : way.run(home, work, situation, "terminal", Map.of("command", command));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Entry> all() {
        return List.of(
                new Entry("java, direct", false, GateEntries::java),
                new Entry("java, script", true, GateEntries::java),
                new Entry("cli, direct", false, GateEntries::cli),
                new Entry("cli, script", true, GateEntries::cli),
                new Entry("mcp, direct", false, GateEntries::mcp),
                new Entry("mcp, script", true, GateEntries::mcp),
                new Entry(
                        "java, background",
                        false,
                        (home, work, situation, _, arguments) -> background(home, work, situation, arguments, false)),
                new Entry(
                        "java, pty",
                        false,
                        (home, work, situation, _, arguments) -> background(home, work, situation, arguments, true)),
                new Entry(
                        "java, process submit",
                        false,
                        true,
                        (home, work, situation, _, arguments) -> typed(home, work, situation, arguments, false)),
                new Entry(
                        "java, process submit on a pty",
                        false,
                        true,
                        (home, work, situation, _, arguments) -> typed(home, work, situation, arguments, true)));
    }

    private static EngineBuilder engine(Path home, Path work, Situation situation) {
        Settings settings = Settings.defaults(Folders.below(home));
        return Engine.builder()
                .settings(settings.withApprovals(settings.approvals().withMode(situation.mode())))
                .cwd(work);
    }

    private static Engine answered(Path home, Path work, Situation situation) {
        EngineBuilder builder = engine(home, work, situation);
        switch (situation.person()) {
            case SAYS_YES -> builder.approver(_ -> Optional.of(Answer.ONCE));
            case SAYS_NO -> builder.approver(_ -> Optional.of(Answer.DENY));
            case NOBODY -> {}
        }
        return builder.build();
    }

    private static String background(
            Path home, Path work, Situation situation, Map<String, Object> arguments, boolean pty) {
        try (Engine engine = answered(home, work, situation)) {
            Map<String, Object> all = new HashMap<>(arguments);
            all.put("background", true);
            all.put("pty", pty);
            Map<String, Object> started =
                    engine.call(ToolCall.of("terminal", all)).value();
            return Json.text(started) + process(engine, started, "wait", "");
        }
    }

    /// Sends the command in three pieces. None of them is dangerous alone.
    private static String typed(Path home, Path work, Situation situation, Map<String, Object> arguments, boolean pty) {
        String command = String.valueOf(arguments.get("command"));
        try (Engine engine = answered(home, work, situation)) {
            Map<String, Object> shell = Map.of("command", "sh", "background", true, "pty", pty);
            Map<String, Object> started =
                    engine.call(ToolCall.of("terminal", shell)).value();
            String told = Json.text(started)
                    + process(engine, started, "write", command.substring(0, 2))
                    + process(engine, started, "write", command.substring(2, 5))
                    + process(engine, started, "submit", command.substring(5));
            return told.contains("blocked")
                    ? told
                    : told + process(engine, started, "submit", "exit") + process(engine, started, "wait", "");
        }
    }

    private static String process(Engine engine, Map<String, Object> started, String action, String data) {
        return started.get("session_id") instanceof String id
                ? Json.text(engine.call(ToolCall.of(
                                "process", Map.of("action", action, "session_id", id, "data", data, "timeout", 100)))
                        .value())
                : "";
    }

    private static String java(Path home, Path work, Situation situation, String tool, Map<String, Object> arguments) {
        EngineBuilder builder = engine(home, work, situation);
        switch (situation.person()) {
            case SAYS_YES -> builder.approver(_ -> Optional.of(Answer.ONCE));
            case SAYS_NO -> builder.approver(_ -> Optional.of(Answer.DENY));
            case NOBODY -> {}
        }
        try (Engine engine = builder.build()) {
            return Json.text(engine.call(ToolCall.of(tool, arguments)).value());
        }
    }

    /// Runs in this process if there is no person, and on a terminal otherwise.
    private static String cli(Path home, Path work, Situation situation, String tool, Map<String, Object> arguments)
            throws Exception {
        String mode = situation.mode().name().toLowerCase(Locale.ROOT);
        String[] args = {"call", "--approvals", mode, "--cwd", work.toString(), tool, Json.text(arguments)};
        return switch (situation.person()) {
            case NOBODY -> new InProcess(home).run(args).out();
            case SAYS_YES -> onATerminal(home, "o", args);
            case SAYS_NO -> onATerminal(home, "d", args);
        };
    }

    private static String onATerminal(Path home, String answer, String... args) throws Exception {
        Optional<String> script = Testbed.value("SCRIPT");
        assumeTrue(script.isPresent(), () -> Testbed.whyMissing("script"));
        Path log = home.resolve("log");
        String command = CliProcess.command(args).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        try (CliProcess talaria =
                CliProcess.start(home, List.of(script.get(), "-qefc", "TERM=xterm " + command, log.toString()))) {
            int answered = 0;
            while (ProcessHandle.of(talaria.pid()).isPresent()) {
                Thread.sleep(20);
                String shown = Files.exists(log) ? Files.readString(log) : "";
                for (int prompts = shown.split("is a no\\): ", -1).length - 1; answered < prompts; answered++) {
                    talaria.stdin().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                    talaria.stdin().flush();
                }
            }
            return talaria.end().out();
        }
    }

    private static String mcp(Path home, Path work, Situation situation, String tool, Map<String, Object> arguments)
            throws Exception {
        Pipe there = Pipe.open();
        Pipe back = Pipe.open();
        try (Engine engine = engine(home, work, situation).build();
                OutputStream toDoor = Channels.newOutputStream(there.sink());
                BufferedReader fromDoor = new BufferedReader(
                        new InputStreamReader(Channels.newInputStream(back.source()), StandardCharsets.UTF_8))) {
            Thread door = Thread.ofPlatform()
                    .daemon()
                    .start(() -> McpDoor.serve(
                            engine, Channels.newInputStream(there.source()), Channels.newOutputStream(back.sink())));
            Map<String, Object> able = situation.person() == Person.NOBODY ? Map.of() : Map.of("elicitation", Map.of());
            Map<String, Object> hello = Map.of(
                    "protocolVersion",
                    "2025-11-25",
                    "capabilities",
                    able,
                    "clientInfo",
                    Map.of("name", "matrix", "version", "1"));
            send(toDoor, Map.of("jsonrpc", "2.0", "id", 1, "method", "initialize", "params", hello));
            Map<String, Object> call = Map.of("name", tool, "arguments", arguments);
            send(toDoor, Map.of("jsonrpc", "2.0", "id", 2, "method", "tools/call", "params", call));
            String answer = situation.person() == Person.SAYS_YES ? "once" : "deny";
            while (true) {
                Map<String, Object> message = Json.object(fromDoor.readLine());
                if ("elicitation/create".equals(message.get("method"))) {
                    Map<String, Object> result = Map.of("action", "accept", "content", Map.of("answer", answer));
                    send(toDoor, Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", result));
                } else if (Integer.valueOf(2).equals(message.get("id"))) {
                    there.sink().close();
                    door.join();
                    return Json.text(message);
                }
            }
        }
    }

    private static void send(OutputStream toDoor, Map<String, Object> message) throws IOException {
        toDoor.write((Json.text(message) + "\n").getBytes(StandardCharsets.UTF_8));
        toDoor.flush();
    }
}
