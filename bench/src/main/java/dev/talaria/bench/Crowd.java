package dev.talaria.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures many sandboxes in one engine, each running scripts: the last may not cost more than the
/// first, none may see another's files, and the JVM must do with 256 MB.
final class Crowd implements Row {
    private final String backend;
    private final int count;

    private Crowd(String backend, int count) {
        this.backend = backend;
        this.count = count;
    }

    static Row bubblewrap() {
        return new Crowd("bubblewrap", 300);
    }

    static Row docker() {
        return new Crowd("docker", 20);
    }

    @Override
    public String name() {
        return "crowd-" + backend;
    }

    @Override
    public String what() {
        return "opening one more sandbox and running a script in it, the last tenth of " + count + " in " + backend
                + ", under -Xmx256m; floor: the first tenth";
    }

    @Override
    public double bound() {
        return 1.5;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        List<String> argv = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                CrowdJvm.class.getName(),
                context.folder().toString(),
                String.valueOf(count),
                backend));
        if (backend.equals("docker")) {
            argv.add("image=" + Testbed.require("DOCKER_IMAGE"));
        } else {
            Testbed.require("BWRAP");
        }
        try (Child jvm = new Child(argv, context)) {
            List<Long> took = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                took.add(Long.valueOf(jvm.listen()));
            }
            List<String> notes = new ArrayList<>();
            notes.add(whole(took));
            String line = jvm.listen();
            while (!line.equals("end")) {
                notes.add(line);
                line = jvm.listen();
            }
            int tenth = count / 10;
            return Measurement.of(Sample.of(took.subList(1, 1 + tenth)), Sample.of(took.subList(count - tenth, count)))
                    .withNotes(notes);
        }
    }

    private static String whole(List<Long> took) {
        long sum = took.stream().mapToLong(Long::longValue).sum();
        return took.size() + " sandboxes in " + Table.time(sum);
    }
}
