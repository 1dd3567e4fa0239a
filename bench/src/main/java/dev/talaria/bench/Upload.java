package dev.talaria.bench;

import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.engine.Engine;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/// Measures the upload of a large file into a container, against the client's own copy.
final class Upload implements Row {
    private static final long BYTES = 1_000_000_000;
    private static final String TARGET = "/root/talaria-bench-upload";

    @Override
    public String name() {
        return "upload-docker";
    }

    @Override
    public String what() {
        return "a file of 1 GB copied into a container; floor: docker cp";
    }

    @Override
    public double bound() {
        return 2;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        Path file = large(context.folder().resolve("large"));
        String container = Testbed.require("DOCKER_CONTAINER");
        try (RemoteSandbox docker = RemoteSandbox.docker();
                Engine engine = docker.engine(context).build()) {
            try {
                List<Sample> samples = Pairs.alternate(
                        1,
                        Math.max(2, context.rounds(100)),
                        Pairs.timed(() -> Child.run(
                                List.of("docker", "cp", file.toString(), container + ":" + TARGET), context, "")),
                        Pairs.timed(() -> copy(engine, file)));
                return Measurement.of(samples.get(0), samples.get(1));
            } finally {
                Child.run(docker.command("rm", "-f", TARGET), context, "");
            }
        }
    }

    private static void copy(Engine engine, Path file) {
        engine.copies().up(Caller.DEFAULT_SESSION, file, TARGET, (_, _) -> {}, new Cancellation());
    }

    /// Creates a file that cannot be compressed on its way.
    private static Path large(Path path) throws IOException {
        byte[] block = new byte[1_000_000];
        Random random = new Random(1);
        try (OutputStream out = Files.newOutputStream(path)) {
            for (long written = 0; written < BYTES; written += block.length) {
                random.nextBytes(block);
                out.write(block);
            }
        }
        return path;
    }
}
