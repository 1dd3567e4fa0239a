package dev.talaria.testkit;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.engine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// A program with an engine, for tests that need a JVM of their own: reads calls and writes results
/// as lines of JSON.
public final class ChildEngine {
    private ChildEngine() {}

    /// Runs until the end of input.
    ///
    /// @param args a JSON object: backend, options, transport, folder, home, and maybe processes (of a
    ///     script) and notDumpable
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err); // for answers only: a logger without a configuration logs there
        Map<String, Object> setup = Json.object(args[0]);
        Map<String, String> options = new LinkedHashMap<>();
        if (setup.get("options") instanceof Map<?, ?> map) {
            map.forEach((key, value) -> options.put(String.valueOf(key), String.valueOf(value)));
        }
        Settings settings = Settings.defaults(Folders.below(Path.of(String.valueOf(setup.get("home")))))
                .withBackend(String.valueOf(setup.get("backend")), options)
                .withTransport(Transport.valueOf(String.valueOf(setup.get("transport"))))
                .withCwd(String.valueOf(setup.get("folder")));
        if (setup.get("processes") instanceof Number most) {
            settings = settings.withScript(settings.script().withProcesses(most.intValue()));
        }
        var builder = Engine.builder().settings(settings);
        if (Boolean.TRUE.equals(setup.get("notDumpable"))) {
            builder.notDumpable();
        }
        new TestTools().register(builder);
        try (Engine engine = builder.build();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, Object> request = Json.object(line);
                Thread.ofVirtual().start(() -> out.println(answer(engine, request)));
            }
        }
    }

    private static String answer(Engine engine, Map<String, Object> request) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (request.get("arguments") instanceof Map<?, ?> map) {
            map.forEach((key, value) -> arguments.put(String.valueOf(key), value));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", request.get("id"));
        answer.put(
                "value",
                engine.call(ToolCall.of(String.valueOf(request.get("tool")), arguments))
                        .value());
        return Json.text(answer);
    }
}
