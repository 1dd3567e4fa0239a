package dev.talaria.engine.job.file;

import dev.talaria.api.Sandbox;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.direct.DirectLauncher;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import dev.talaria.engine.util.RandomBytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Runs scripts without a live channel: files carry their tool calls, and short commands transfer the
/// files.
///
/// Needs Python 3.8 or newer in the sandbox. Programs are started by direct exec.
///
/// @param acceptor takes the scripts' tool calls, one connection per run
/// @param python the interpreter in the sandbox, with any words that must stand before it
/// @param patience how long the preparations may take
public record FileLauncher(
        Sandbox sandbox, ConnectionAcceptor acceptor, List<String> python, FileOptions options, Patience patience)
        implements Launcher {

    public FileLauncher {
        python = List.copyOf(python);
    }

    @Override
    public Job start(JobSpec spec, OutputSink sink) {
        DirectLauncher direct = new DirectLauncher(sandbox);
        return spec instanceof JobSpec.Script script ? start(script, direct, sink) : direct.start(spec, sink);
    }

    private Job start(JobSpec.Script script, DirectLauncher direct, OutputSink sink) {
        ExchangeOrders steps = new ExchangeOrders(sandbox, python, RandomBytes.hex(16));
        String folder = prepare(steps, script);
        ExchangeLoop exchanges = new ExchangeLoop(steps, folder, options, acceptor, script);
        try {
            Job job = direct.start(program(script, steps, folder), folder, sink);
            exchanges.start();
            return new FileJob(job, () -> {
                exchanges.close();
                return steps.finish(folder);
            });
        } catch (RuntimeException e) {
            exchanges.close();
            steps.finish(folder);
            throw e;
        }
    }

    /// Creates the script's folder. The work goes on if the call cannot wait, since only the creator
    /// knows which folder to remove.
    private String prepare(ExchangeOrders steps, JobSpec.Script script) {
        CompletableFuture<String> folder = CompletableFuture.supplyAsync(
                () -> steps.prepare(script.stubs().source(), script.code()),
                work -> Thread.ofVirtual().name("file-prepare").start(work));
        try {
            return patience.await(folder);
        } catch (GaveUpException e) {
            var _ = folder.thenAccept(steps::finish);
            throw e;
        }
    }

    private JobSpec.Program program(JobSpec.Script script, ExchangeOrders steps, String folder) {
        List<String> argv = new ArrayList<>(script.python().map(List::of).orElse(python));
        // Unbuffered, so that the output of a killed script is not lost.
        argv.addAll(List.of("-u", folder + "/script.py"));
        argv.addAll(script.args());
        Map<String, String> environment = new LinkedHashMap<>(script.environment());
        String stubs = folder + "/stubs";
        environment.merge("PYTHONPATH", stubs, (theirs, ours) -> theirs.isEmpty() ? ours : ours + ":" + theirs);
        environment.put("HERMES_RPC_DIR", folder + "/rpc");
        JobSpec.Bounds bounds = new JobSpec.Bounds(script.bounds().memory(), Optional.empty());
        return new JobSpec.Program(
                steps.runner(folder, script.bounds().processes().orElse(0), argv),
                false,
                new JobSpec.Surroundings(
                        environment, script.inherit(), Optional.of(script.cwd().orElse(folder)), bounds),
                Optional.empty());
    }
}
