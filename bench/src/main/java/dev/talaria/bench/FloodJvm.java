package dev.talaria.bench;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Runs the script whose path it reads, and prints how long that took. {@link Flood} starts it with
/// little memory.
final class FloodJvm {

    private FloodJvm() {}

    public static void main(String[] args) throws IOException {
        Settings settings = Settings.defaults(Folders.below(Path.of(args[0]))).withCwd(args[0]);
        try (Engine engine = Engine.builder().settings(settings).build();
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Scripts.hello(engine);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(run(engine, Files.readString(Path.of(line))));
            }
        }
    }

    private static long run(Engine engine, String code) {
        long began = System.nanoTime();
        Map<String, Object> value = Scripts.result(engine, Map.of("code", code)).value();
        long took = System.nanoTime() - began;
        if (!"success".equals(value.get("status"))
                || !(value.get("stdout_bytes_total") instanceof Number total)
                || total.longValue() != Flood.BYTES) {
            throw new IllegalStateException("Not all was printed: " + value);
        }
        return took;
    }
}
