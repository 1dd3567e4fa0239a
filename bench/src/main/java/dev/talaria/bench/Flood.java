package dev.talaria.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Measures a script that prints a gigabyte, run by an engine in a JVM with little memory.
final class Flood implements Row {
    static final long BYTES = 1_000_000_000;

    private final String variant;

    private Flood(String variant) {
        this.variant = variant;
    }

    static Row lines() {
        return new Flood("lines");
    }

    static Row blocks() {
        return new Flood("blocks");
    }

    @Override
    public String name() {
        return "flood-" + variant;
    }

    @Override
    public String what() {
        return "1 GB printed by a script in " + variant + ", under -Xmx96m; floor: python3 script.py | cat > /dev/null";
    }

    @Override
    public double bound() {
        return 1.5;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        Path script = context.floor(name() + ".py");
        List<String> pipe = List.of(
                "/bin/sh",
                "-c",
                "\"$1\" \"$2\" | cat > /dev/null",
                "sh",
                context.python().toString(),
                script.toString());
        try (Child jvm = new Child(smallJvm(context), context)) {
            List<Sample> samples = Pairs.alternate(
                    1,
                    context.rounds(100),
                    Pairs.timed(() -> Child.run(pipe, context, "")),
                    () -> Long.parseLong(jvm.ask(script.toString())));
            return Measurement.of(samples.get(0), samples.get(1)).withNotes(List.of(residentMemory(jvm.pid())));
        }
    }

    private static List<String> smallJvm(BenchContext context) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                FloodJvm.class.getName(),
                context.folder().toString());
    }

    private static String residentMemory(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .findFirst()
                .map(line -> "the JVM held at most"
                        + line.substring("VmHWM:".length()).replaceAll("\\s+", " ") + " of memory")
                .orElse("the JVM's memory is not known");
    }
}
