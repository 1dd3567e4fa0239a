package dev.talaria.tests.lifecycle;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.backends.container.DockerBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A program that runs a command in its own container, says so and waits until it is killed: HOME [here|FILE|docker
/// CLIENT IMAGE]. With `here` the command runs on this machine; with FILE the container waits for that file; with
/// `docker` the real backend makes it.
final class KilledEngine {
    private KilledEngine() {}

    public static void main(String[] args) throws Exception {
        boolean here = args.length > 1 && args[1].equals("here");
        Map<String, String> options =
                here ? Map.of("here", "true") : args.length > 1 ? Map.of("gate", args[1]) : Map.of();
        Settings defaults = Settings.defaults(Folders.below(Path.of(args[0])));
        Settings settings = args.length > 2
                ? defaults.withBackend("docker", Map.of("binary", args[2], "image", args[3]))
                : defaults.withBackend("made-containers", options);
        try (Engine engine = Engine.builder()
                .settings(settings)
                .backend(args.length > 2 ? new DockerBackend() : new MadeContainers())
                .build()) {
            Map<String, Object> arguments = new HashMap<>(Map.of("command", "sleep 600", "background", true));
            if (here) {
                arguments.put("persist_on_release", true);
            }
            System.out.println("opening");
            Map<String, Object> value = engine.call(ToolCall.of(new Caller("test", "doomed"), "terminal", arguments))
                    .value();
            System.out.println("open " + value.get("session_id"));
            Thread.sleep(600_000);
        }
    }
}
