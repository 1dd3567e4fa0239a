package dev.talaria.engine.tool.files;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.job.direct.DirectLauncher;
import dev.talaria.engine.util.Resources;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// A file in a sandbox without Python. A shell holds it: its working folder is the file's folder.
final class ShellFile implements HeldFile {
    private static final String PROGRAM = Resources.text(ShellFile.class, "hold.sh");
    private static final byte[] GO = "go\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PART = 1 << 18;

    private final String wanted;
    private final Patience patience;
    private final ShellOutput output;
    private final Job job;

    private ShellFile(String wanted, Patience patience, ShellOutput output, Job job) {
        this.wanted = wanted;
        this.patience = patience;
        this.output = output;
        this.job = job;
    }

    /// Starts the shell where the sandbox's commands begin.
    static ShellFile open(Sandbox sandbox, String path, Patience patience) {
        return start(sandbox, path, program(path), patience);
    }

    /// Starts the shell in the root folder.
    static ShellFile openFromRoot(Sandbox sandbox, String path, Patience patience) {
        return start(sandbox, path, program(path).in("/"), patience);
    }

    private static JobSpec.Program program(String path) {
        return JobSpec.Program.of(List.of("sh", "-c", PROGRAM, "sh", path)).withInput();
    }

    private static ShellFile start(Sandbox sandbox, String path, JobSpec.Program program, Patience patience) {
        ShellOutput output = new ShellOutput();
        Job job = new DirectLauncher(sandbox).start(program, output);
        ShellFile file = new ShellFile(path, patience, output, job);
        var _ = job.exit()
                .whenComplete((exit, problem) -> output.held.completeExceptionally(file.problem(exit, problem)));
        return file;
    }

    @Override
    public String path() {
        List<String> told = patience.await(output.held);
        return (told.get(2).equals("/") ? "" : told.get(2)) + "/" + told.get(3);
    }

    @Override
    public List<String> homes() {
        return patience.await(output.held).subList(0, 2).stream()
                .filter(home -> !home.isEmpty())
                .distinct()
                .toList();
    }

    @Override
    public String write(byte[] content) {
        String path = path();
        try (var _ = patience.cancellation().onCancel(this::close)) {
            job.write(ByteBuffer.wrap(GO));
            job.write(ByteBuffer.wrap((content.length + "\n").getBytes(StandardCharsets.US_ASCII)));
            for (int at = 0; at < content.length && !job.exit().isDone(); at += PART) {
                job.write(ByteBuffer.wrap(content, at, Math.min(PART, content.length - at)));
            }
            job.endInput();
            return switch (Supervisor.await(job, patience)) {
                case Outcome.Exited(Exit exit) -> {
                    if (exit.shellCode() != 0) {
                        throw problem(exit, null);
                    }
                    yield path;
                }
                case Outcome.TimedOut _, Outcome.Cancelled _ -> {
                    patience.check();
                    throw problem(null, null);
                }
            };
        }
    }

    private RuntimeException problem(@Nullable Exit exit, @Nullable Throwable lost) {
        if (lost instanceof RuntimeException known) {
            return known;
        }
        String text = output.errors();
        return new SandboxException(
                text.contains("No such file") || text.contains("nonexistent")
                        ? ErrorCode.FILE_NOT_FOUND
                        : ErrorCode.FILE_REFUSED,
                !text.isEmpty() ? text : wanted + ": the shell ended " + (exit == null ? "early" : exit.shellCode()));
    }

    @Override
    public void close() {
        if (!job.exit().isDone()) {
            job.kill(Supervisor.CANCEL_GRACE);
        }
    }

    /// The output of the shell: four lines, and perhaps an error.
    private static final class ShellOutput implements OutputSink {
        private static final int MOST = 16384;
        private static final int LINES = 4;
        final CompletableFuture<List<String>> held = new CompletableFuture<>();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(); // these two: synchronized by themselves
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();

        @Override
        public void accept(Stream stream, ByteBuffer data) {
            ByteArrayOutputStream into = stream == Stream.STDOUT ? out : err;
            byte[] bytes = new byte[Math.min(data.remaining(), MOST - Math.min(MOST, into.size()))];
            data.get(bytes);
            into.writeBytes(bytes);
            if (stream == Stream.STDOUT && !held.isDone()) {
                String[] lines = out.toString(StandardCharsets.UTF_8).split("\n", LINES + 1);
                if (lines.length > LINES) {
                    held.complete(List.of(lines).subList(0, LINES));
                }
            }
        }

        String errors() {
            return err.toString(StandardCharsets.UTF_8).strip();
        }
    }
}
