package dev.talaria.tests.copy;

import dev.talaria.api.Cancellation;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/// A program that copies, in a JVM that tests can kill or give little memory.
final class CopyingJvm {
    private CopyingJvm() {}

    /// Copies, and prints the number of bytes. At `stop` bytes it says so and waits for ever.
    public static void main(String[] args) {
        Map<String, Object> setup = Json.object(args[0]);
        long stop = Long.parseLong(String.valueOf(setup.get("stop")));
        Settings settings = Settings.defaults(Folders.below(Path.of(String.valueOf(setup.get("home")))))
                .withBackend(String.valueOf(setup.get("backend")), options(setup));
        try (Engine engine = Engine.builder().settings(settings).build()) {
            CopyResult up = engine.copies()
                    .up(
                            "default",
                            Path.of(String.valueOf(setup.get("from"))),
                            String.valueOf(setup.get("there")),
                            (done, _) -> stopAt(stop, done),
                            new Cancellation());
            CopyResult down = engine.copies()
                    .down(
                            "default",
                            String.valueOf(setup.get("there")),
                            Path.of(String.valueOf(setup.get("back"))),
                            Long.MAX_VALUE,
                            (_, _) -> {},
                            new Cancellation());
            System.out.println("copied " + (up.bytes() + down.bytes()));
        }
    }

    private static Map<String, String> options(Map<String, Object> setup) {
        return Json.object(String.valueOf(setup.get("options"))).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, option -> String.valueOf(option.getValue())));
    }

    private static void stopAt(long stop, long done) {
        if (done >= stop) {
            System.out.println("stopped");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
