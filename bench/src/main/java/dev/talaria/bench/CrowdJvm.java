package dev.talaria.bench;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Opens sandboxes one by one and prints how long each took, then runs scripts in all of them at
/// once. {@link Crowd} starts it with little memory.
final class CrowdJvm {

    private CrowdJvm() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int count = Integer.parseInt(args[1]);
        Map<String, String> options = new HashMap<>();
        Arrays.stream(args).skip(3).map(option -> option.split("=", 2)).forEach(o -> options.put(o[0], o[1]));
        Settings settings = Settings.defaults(Folders.below(folder));
        if (options.isEmpty()) {
            settings = settings.withCwd(folder.toString());
        }
        try (Engine engine =
                Engine.builder().settings(settings).backend(args[2], options).build()) {
            for (int i = 0; i < count; i++) {
                long began = System.nanoTime();
                script(engine, i, "open('/tmp/who', 'w').write('%d'); print('%d')".formatted(i, i));
                System.out.println(System.nanoTime() - began);
            }
            long began = System.nanoTime();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> runs = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    int number = i;
                    runs.add(callers.submit(() -> script(engine, number, "print(open('/tmp/who').read())")));
                }
                for (Future<?> run : runs) {
                    run.get();
                }
            }
            System.out.println("a script in each at once, all in " + Table.time(System.nanoTime() - began));
            System.gc();
            System.out.println("heap then "
                    + (ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20) + " MB");
        }
        System.out.println("end");
    }

    private static void script(Engine engine, int number, String code) {
        Map<String, Object> value = engine.call(
                        ToolCall.of(new Caller("bench", "session-" + number), "execute_code", Map.of("code", code)))
                .value();
        if (!String.valueOf(value.get("output")).strip().equals(String.valueOf(number))) {
            throw new IllegalStateException("Sandbox " + number + " answered " + value);
        }
    }
}
