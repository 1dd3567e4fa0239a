package dev.talaria.engine.copy;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.Supervisor.Outcome;
import dev.talaria.engine.job.direct.DirectLauncher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies one file in a sandbox without Python. A shell writes it beside its target, counts its bytes and renames
/// it.
public final class ShellCopy {
    static final String NOTE = "There is no Python in this sandbox: a copy that is cut begins anew.";

    private static final String PUT = """
            p=$1
            case $p in '~/'*) p=$HOME/${p#??} ;; esac
            if [ -d "$p" ]; then p=${p%/}/$2; else case $p in */) p=$p$2 ;; esac; fi
            case $p in */*) mkdir -p -- "${p%/*}" || exit 1 ;; esac
            if [ -d "$p" ]; then echo "$p: Is a directory" >&2; exit 1; fi
            t=$p.talaria-$$
            trap 'rm -f -- "$t"' EXIT
            trap 'exit 1' HUP INT TERM
            cat > "$t" || exit 1
            if [ "$(wc -c < "$t")" -ne "$3" ]; then echo 'the copy was cut' >&2; exit 1; fi
            chmod "$4" "$t" || exit 1
            mv -f -- "$t" "$p" && printf %s "$p"
            """;

    private static final String GET = """
            p=$1
            case $p in '~/'*) p=$HOME/${p#??} ;; esac
            if [ -d "$p" ]; then echo "$p: Is a directory" >&2; exit 1; fi
            if [ -e "$p" ] && [ ! -f "$p" ]; then echo "$p: Not a regular file" >&2; exit 1; fi
            wc -c < "$p" && cat "$p"
            """;

    private static final int PART = 1 << 18;

    private final Sandbox sandbox;
    private final Patience patience;

    public ShellCopy(Sandbox sandbox, Patience patience) {
        this.sandbox = sandbox;
        this.patience = patience;
    }

    CopyResult up(Path from, String to, CopyProgress progress) {
        if (Files.isDirectory(from)) {
            throw noFolders();
        }
        try (InputStream source = Files.newInputStream(from)) {
            long size = Files.size(from);
            String mode = String.format("%o", FolderTree.mode(from));
            String name = String.valueOf(from.toAbsolutePath().normalize().getFileName());
            String path = put(to, name, size, mode, source, progress);
            return new CopyResult(path, 1, size, 0, List.of(), List.of(NOTE));
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot read " + from + ": " + Reason.of(e), e);
        }
    }

    private SandboxException noFolders() {
        return new SandboxException(
                ErrorCode.NOT_SUPPORTED,
                "There is no Python in sandbox " + sandbox.name()
                        + ", so folders cannot be copied. Copy an archive and unpack it there, or install python3.");
    }

    private String put(String path, String name, long size, String mode, InputStream source, CopyProgress progress)
            throws IOException {
        ShellOutput output = new ShellOutput();
        Job job = start(PUT, List.of(path, name, String.valueOf(size), mode), true, output);
        try (var _ = patience.cancellation().onCancel(() -> job.kill(Supervisor.CANCEL_GRACE))) {
            byte[] buffer = new byte[PART];
            long done = 0;
            while (done < size && !job.exit().isDone()) {
                int count = source.read(buffer, 0, (int) Math.min(buffer.length, size - done));
                if (count < 0) {
                    break;
                }
                job.write(ByteBuffer.wrap(buffer, 0, count));
                done += count;
                progress.moved(done, size);
            }
            job.endInput();
            await(path, job, output);
        }
        return output.out.toString(StandardCharsets.UTF_8);
    }

    CopyResult down(String from, Path to, long mostBytes, CopyProgress progress) {
        try (PartFile part = PartFile.beside(to, FileCopy.name(sandbox.name(), from, to.toString()))) {
            part.from(0);
            SizedOutput sized = new SizedOutput(mostBytes) {
                @Override
                void take(ByteBuffer data) {
                    part.write(data);
                    progress.moved(arrived, size);
                }
            };
            get(from, sized);
            part.commit(to, 0644, System.currentTimeMillis() / 1000);
            return new CopyResult(to.toString(), 1, sized.arrived, 0, List.of(), List.of(NOTE));
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot write " + to + ": " + Reason.of(e), e);
        }
    }

    /// Returns a file's content.
    public byte[] read(String path, long limit) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        get(path, new SizedOutput(limit) {
            @Override
            void take(ByteBuffer data) {
                byte[] bytes = new byte[data.remaining()];
                data.get(bytes);
                content.writeBytes(bytes);
            }
        });
        return content.toByteArray();
    }

    private void get(String path, SizedOutput sized) {
        Job job = start(GET, List.of(path), false, sized);
        sized.job = job;
        await(path, job, sized);
        if (sized.arrived != sized.size) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The copy of " + path + " was cut.");
        }
    }

    private Job start(String script, List<String> words, boolean input, OutputSink sink) {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", script, "sh"));
        argv.addAll(words);
        JobSpec.Program program = JobSpec.Program.of(argv);
        return new DirectLauncher(sandbox).start(input ? program.withInput() : program, sink);
    }

    private void await(String path, Job job, ShellOutput output) {
        Outcome outcome = Supervisor.await(job, patience);
        if (output.problem != null) {
            throw output.problem;
        }
        switch (outcome) {
            case Outcome.Exited(Exit exit) -> {
                if (exit.shellCode() != 0) {
                    String text = output.err.toString(StandardCharsets.UTF_8).strip();
                    throw new SandboxException(
                            text.contains("No such file") || text.contains("can't open") || text.contains("nonexistent")
                                    ? ErrorCode.FILE_NOT_FOUND
                                    : ErrorCode.FILE_REFUSED,
                            path + ": " + (text.isEmpty() ? "status " + exit.shellCode() : text));
                }
            }
            case Outcome.TimedOut _, Outcome.Cancelled _ -> patience.check();
        }
    }

    /// Collects the output of the shell, up to a limit.
    private static class ShellOutput implements OutputSink {
        private static final int MOST = 8192;
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        volatile @Nullable SandboxException problem; // written by the job's reader

        @Override
        public void accept(Stream stream, ByteBuffer data) {
            ByteArrayOutputStream into = stream == Stream.STDOUT ? out : err;
            byte[] bytes = new byte[Math.min(data.remaining(), MOST - Math.min(MOST, into.size()))];
            data.get(bytes);
            into.writeBytes(bytes);
        }
    }

    /// Reads a line with a size, and then as many bytes.
    private abstract static class SizedOutput extends ShellOutput {
        private final long most;
        volatile @Nullable Job job; // written by the thread that started the job
        long size = -1; // this and below: used by the job's reader until the job has ended
        long arrived;

        SizedOutput(long most) {
            this.most = most;
        }

        abstract void take(ByteBuffer data);

        @Override
        public void accept(Stream stream, ByteBuffer data) {
            if (stream == Stream.STDERR) {
                super.accept(stream, data);
                return;
            }
            while (size < 0 && data.hasRemaining()) {
                byte b = data.get();
                if (b == '\n') {
                    String number = out.toString(StandardCharsets.US_ASCII).strip();
                    size = number.matches("[0-9]{1,18}") ? Long.parseLong(number) : 0;
                } else if (out.size() < 40) {
                    out.write(b);
                }
            }
            if (problem != null || size < 0 || !data.hasRemaining()) {
                return;
            }
            arrived += data.remaining();
            try {
                if (size > most || arrived > size) {
                    throw new SandboxException(
                            ErrorCode.FILE_REFUSED, "The file has more than " + Math.min(most, size) + " bytes.");
                }
                take(data);
            } catch (SandboxException e) {
                fail(e);
            } catch (UncheckedIOException e) {
                fail(new SandboxException(ErrorCode.FILE_REFUSED, Reason.of(e), e));
            }
        }

        private void fail(SandboxException why) {
            problem = why;
            if (job != null) {
                job.kill(Supervisor.CANCEL_GRACE);
            }
        }
    }
}
