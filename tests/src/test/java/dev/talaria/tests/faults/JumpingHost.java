package dev.talaria.tests.faults;

import dev.talaria.api.ToolCall;
import dev.talaria.backends.container.DockerBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.sandbox.SandboxRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A program whose clock follows a file: HOME CLOCK runs|sweep. It prints a line of JSON for each jump.
final class JumpingHost {
    private JumpingHost() {}

    public static void main(String[] args) throws Exception {
        Folders folders = Folders.below(Path.of(args[0]));
        if (args[2].equals("sweep")) {
            DockerBackend backend = new DockerBackend();
            SandboxRegistry registry = new SandboxRegistry(folders, _ -> Optional.of(backend));
            System.out.println(Instant.now() + " " + registry.sweep().removed().size());
            return;
        }
        Settings settings = Settings.defaults(folders)
                .withBackend("local", Map.of())
                .withCwd(Files.createDirectories(Path.of(args[0], "work")).toString());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            call(engine, "terminal", Map.of("command", "export KEPT=1"));
            String id = String.valueOf(call(engine, "terminal", Map.of("command", "sleep 600", "background", true))
                    .get("session_id"));
            for (String offset : new String[] {"+365d", "-365d", "+0"}) {
                Path seenFile = Path.of(args[0], "seen" + offset);
                Instant before = Instant.now();
                Thread watch = Thread.ofPlatform().start(() -> tellJump(before, seenFile));
                String code = jump(args[1], offset, seenFile.toString());
                Map<String, Object> seen = new LinkedHashMap<>();
                seen.put("script", call(engine, "execute_code", Map.of("code", code, "timeout", 100)));
                watch.join();
                seen.put("year", Instant.now().toString().substring(0, 4));
                seen.put("kept", call(engine, "terminal", Map.of("command", "echo $KEPT")));
                seen.put("late", call(engine, "terminal", Map.of("command", "sleep 600", "timeout", 1)));
                seen.put("process", call(engine, "process", Map.of("action", "poll", "session_id", id)));
                seen.put("sandboxes", engine.sandboxes().size());
                System.out.println(Json.text(seen));
            }
        }
    }

    /// Creates a file as soon as the clock has jumped. It checks once a second.
    private static void tellJump(Instant before, Path file) {
        try {
            while (Duration.between(before, Instant.now()).abs().toDays() < 100) {
                Thread.sleep(20);
            }
            Files.writeString(file, "");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Sets the clock in the middle of a run, which then makes a call and goes on.
    private static String jump(String clock, String offset, String seen) {
        return """
                import os, time
                from hermes_tools import terminal
                with open(%s, "w") as clock:
                    clock.write(%s)
                began = time.monotonic()
                while not os.path.exists(%s):
                    time.sleep(0.05)
                    assert time.monotonic() - began < 60, "the clock stands"
                print(terminal("echo nested")["output"].strip())
                time.sleep(1)
                """.formatted(Json.text(clock), Json.text(offset), Json.text(seen));
    }

    private static Map<String, Object> call(Engine engine, String tool, Map<String, Object> arguments) {
        return engine.call(ToolCall.of(tool, arguments)).value();
    }
}
