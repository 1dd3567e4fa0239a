package dev.talaria.engine.job.direct;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.ProcessMark;
import dev.talaria.engine.job.ProcessSweep;
import dev.talaria.engine.job.ShellText;
import dev.talaria.engine.job.ShortCommand;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A program that our shell script `direct.sh` runs in a sandbox.
final class DirectJob implements Job {
    private static final String SCRIPT = ShellText.script("members.sh") + ShellText.script("direct.sh");

    /// Runs the command line on descriptor 9. A shell that read it through a pipe would have the
    /// pipe's writer as a child.
    private static final List<String> LINE = List.of(
            "sh",
            "-c",
            "exec 2>&1; export PAGER=\"${PAGER-cat}\" GIT_PAGER=\"${GIT_PAGER-cat}\";"
                    + " if command -v bash >/dev/null 2>&1; then exec bash --norc -O expand_aliases -c"
                    + " 'IFS= read -r -d \"\" -u 9 __talaria; exec 9<&-; eval \"unset __talaria; $__talaria\"' bash;"
                    + " else exec sh -c '__talaria=$(cat <&9); exec 9<&-; eval \"unset __talaria; $__talaria\"' sh; fi");

    private static final String NO_BASH = "There is no bash in this sandbox: sh ran the command.";

    /// How long the output may be silent after the end before we stop waiting for it.
    private static final Duration SILENCE = Duration.ofMillis(500);

    /// How long the output may go on after the end.
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(30);

    /// How long the shell may take to report after we have killed its processes.
    private static final Duration REPORT = Duration.ofSeconds(2);

    /// How long the shell may take to start before a kill goes on without it.
    private static final Duration START = Duration.ofSeconds(5);

    private final Sandbox sandbox;
    private final RunningProcess process;
    private final boolean input;
    private final ProcessSweep sweep;
    private final OutputSink sink;
    private final MarkedOutput stdout;
    private final MarkedOutput stderr;
    private final CompletableFuture<Integer> client = new CompletableFuture<>();
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private final CompletableFuture<OptionalLong> pid = new CompletableFuture<>();
    private final AtomicBoolean killed = new AtomicBoolean();

    private DirectJob(
            Sandbox sandbox, RunningProcess process, boolean input, String magic, String job, OutputSink sink) {
        this.sandbox = sandbox;
        this.process = process;
        this.input = input;
        this.sweep = new ProcessSweep(sandbox, magic, job);
        this.sink = sink;
        this.stdout =
                new MarkedOutput(process.stdout(), magic, "direct-stdout", data -> sink.accept(Stream.STDOUT, data));
        this.stderr =
                new MarkedOutput(process.stderr(), magic, "direct-stderr", data -> sink.accept(Stream.STDERR, data));
        var _ = stderr.firstLine()
                .thenAccept(line -> StartLine.parse(line).ifPresent(begun -> pid.complete(begun.pid())));
        var _ = exit.whenComplete((_, _) -> pid.complete(OptionalLong.empty()));
    }

    /// The report of the program's own process before it becomes the program.
    ///
    /// @param pid its process id
    /// @param bash whether bash runs the command line, if it is one
    private record StartLine(OptionalLong pid, boolean bash) {
        private static final Pattern LINE = Pattern.compile("([0-9]{1,10})( sh)?");

        static Optional<StartLine> parse(String line) {
            Matcher matcher = LINE.matcher(line);
            return matcher.matches()
                    ? Optional.of(
                            new StartLine(OptionalLong.of(Long.parseLong(matcher.group(1))), matcher.group(2) == null))
                    : Optional.empty();
        }
    }

    static DirectJob start(Sandbox sandbox, JobSpec.Program program, OutputSink sink) {
        return start(sandbox, program, sink, "");
    }

    /// @param folder removed with the program's processes if this JVM dies; none if it is empty
    static DirectJob start(Sandbox sandbox, JobSpec.Program program, OutputSink sink, String folder) {
        if (program.bounds().processes().isPresent()) {
            throw new SandboxException(
                    ErrorCode.NOT_SUPPORTED,
                    "Sandbox " + sandbox.name() + " has no Python, so processes cannot be counted there. "
                            + "Install Python 3.8 or newer there, or lift the limit.");
        }
        String magic = RandomBytes.hex(16);
        String job = ProcessMark.fresh();
        byte[] preamble = preamble(program, magic, job, folder).getBytes(StandardCharsets.UTF_8);
        List<String> argv = new ArrayList<>(program.inherit() ? List.of() : List.of("env", "-i"));
        argv.addAll(List.of("sh", "-c", SCRIPT, "sh", job));
        argv.addAll(program.line().isPresent() ? LINE : program.argv());
        // If a folder is given, the shell enters it itself, and can report that it does not exist.
        RunningProcess process = sandbox.start(
                program.cwd()
                                .filter(given -> given.startsWith("/") || given.startsWith("~"))
                                .isPresent()
                        ? ShortCommand.command(argv)
                        : Command.of(argv));
        DirectJob started = new DirectJob(sandbox, process, program.stdin(), magic, job, sink);
        Thread.ofVirtual().name("direct-client").start(started::awaitClient);
        Thread.ofVirtual().name("direct-job").start(started::conclude);
        // If the program has no input, ours stays open: its end tells the sandbox that we have gone.
        started.send(preamble);
        return started;
    }

    /// Returns the two lines that the shell reads before the program runs. Values go in here, not
    /// into argv.
    private static String preamble(JobSpec.Program program, String magic, String job, String folder) {
        Map<String, String> environment = new TreeMap<>(program.environment());
        environment.put(ProcessMark.VARIABLE, job);
        String memory = program.bounds()
                .memory()
                .map(bytes -> String.valueOf(Math.max(1, bytes / 1024)))
                .orElse("");
        return "magic=" + magic
                + " input=" + (program.stdin() ? 1 : 0)
                + " memory=" + memory
                + " folder=" + ShellText.word(program.cwd().orElse(""))
                + " remove=" + ShellText.word(folder)
                + " line="
                + ShellText.word(program.line().map(JobSpec.Line::command).orElse(""))
                + "\n" + ShellText.exports(environment) + "\n";
    }

    private void awaitClient() {
        try {
            Optional<Integer> status = Optional.empty();
            while (status.isEmpty()) {
                status = process.waitFor(Duration.ofDays(1));
            }
            client.complete(status.get());
        } catch (InterruptedException e) {
            client.completeExceptionally(e);
        }
    }

    /// Waits for the end, reads the remaining output, ends the remaining processes.
    private void conclude() {
        try {
            CompletableFuture.anyOf(stderr.lastLine(), client).join();
            boolean drained = drain();
            Optional<String> report = Optional.ofNullable(stderr.lastLine().getNow(null));
            stdout.mute();
            stderr.mute();
            sink.end();
            Optional<ProcessSweep.SweepResult> swept =
                    report.isPresent() ? Optional.empty() : sweep.finish(processIds());
            process.close();
            if (stdout.firstLine().isDone()) {
                exit.complete(
                        exit(report.orElse(""), swept.orElse(new ProcessSweep.SweepResult(0, List.of())), drained));
            } else {
                exit.completeExceptionally(nothingRan());
            }
        } catch (RuntimeException e) {
            process.close();
            sink.end();
            exit.completeExceptionally(e);
        }
    }

    /// Returns whether all output was read. Gives up when there is none for a while and some process
    /// could still write.
    private boolean drain() {
        CompletableFuture<Void> both = CompletableFuture.allOf(stdout.ended(), stderr.ended());
        long began = System.nanoTime();
        while (System.nanoTime() - began < LONGEST_DRAIN.toNanos()) {
            long heard = Math.max(Math.max(stdout.heard(), stderr.heard()), began);
            long left = SILENCE.toNanos() - (System.nanoTime() - heard);
            if (left <= 0 || ended(both, Duration.ofNanos(left))) {
                break;
            }
        }
        return both.isDone();
    }

    private static boolean ended(CompletableFuture<?> future, Duration limit) {
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private ProcessSweep.ProcessIds processIds() {
        return ProcessSweep.ProcessIds.parse(stdout.firstLine().getNow(""));
    }

    private Exit exit(String report, ProcessSweep.SweepResult swept, boolean drained) {
        List<String> words = List.of(report.split(" ", 3));
        Optional<String> notStarted = Optional.empty();
        Optional<String> lost = Optional.empty();
        ProcessSweep.SweepResult left = swept;
        int status = client.getNow(1);
        if (words.getFirst().equals("problem")) {
            notStarted = Optional.of(report.substring("problem".length()).strip());
            status = 126;
        } else if (words.getFirst().equals("end")
                && words.size() == 3
                && words.get(1).matches("[0-9]{1,3}")) {
            status = Integer.parseInt(words.get(1));
            left = ProcessSweep.SweepResult.parse(words.get(2));
        } else if (!killed.get()) {
            lost = Optional.of(
                    "the shell that ran it in sandbox " + sandbox.name() + " ended first, with status " + status);
        }
        boolean signal = status > 128 && status <= 192;
        return new Exit(
                new Exit.Status(
                        signal ? OptionalInt.empty() : OptionalInt.of(status),
                        signal ? OptionalInt.of(status - 128) : OptionalInt.empty(),
                        notStarted,
                        lost),
                new Exit.Leftovers(left.count(), left.survivors(), !drained, false),
                Exit.Peak.UNKNOWN,
                Optional.empty(),
                StartLine.parse(stderr.firstLine().getNow(""))
                        .filter(begun -> !begun.bash())
                        .map(_ -> new Exit.ShellEnd(Optional.empty(), Optional.of(NO_BASH))));
    }

    private SandboxException nothingRan() {
        String said = (stderr.noise() + " " + stdout.noise()).strip();
        if (sandbox.neverReached(client.getNow(1), said)) {
            return SandboxException.passing(
                    ErrorCode.BACKEND_UNAVAILABLE, "Sandbox " + sandbox.name() + " cannot be reached: " + said, null);
        }
        return new SandboxException(
                ErrorCode.SANDBOX_LOST,
                "Nothing ran in sandbox " + sandbox.name() + (said.isEmpty() ? "" : " (" + said + ")")
                        + ". Check that it is up and has a POSIX shell, then try again.");
    }

    @Override
    public CompletableFuture<Exit> exit() {
        return exit;
    }

    @Override
    public CompletableFuture<OptionalLong> pid() {
        return pid;
    }

    @Override
    public void kill(Duration grace) {
        if (killed.compareAndSet(false, true)) {
            Thread.ofVirtual().name("direct-kill").start(() -> end(grace));
        }
    }

    private void end(Duration grace) {
        // Before its shell runs, a job cannot be found, and would begin after we have searched for
        // it.
        var _ = ended(CompletableFuture.anyOf(stdout.firstLine(), client), START);
        boolean asked =
                sweep.term(processIds()).filter(found -> found.count() > 0).isPresent();
        // In bubblewrap each command has its own processes. A job that a second command cannot reach
        // is not asked to end.
        if (asked && ended(exit, grace)) {
            return;
        }
        boolean reached = asked && sweep.kill(processIds()).isPresent();
        if (!reached || !ended(exit, REPORT)) {
            process.kill();
        }
    }

    @Override
    public void write(ByteBuffer data) {
        if (input) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            send(bytes);
        }
    }

    @Override
    public void endInput() {
        if (input) {
            try {
                process.stdin().close();
            } catch (IOException e) {
                // The program does not read any more; its end says why.
            }
        }
    }

    private void send(byte[] bytes) {
        try {
            process.stdin().write(bytes);
            process.stdin().flush();
        } catch (IOException e) {
            // The program does not read any more; its end says why.
        }
    }
}
