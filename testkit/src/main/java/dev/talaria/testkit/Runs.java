package dev.talaria.testkit;

import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Command;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// The engine that the tests of one class share, with helpers to use it.
public final class Runs implements AutoCloseable {
    /// A secret of the host that no script may see.
    static final String PLANTED_SECRET = "planted-4711-secret";

    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private final RunTarget target;
    private final Path scratch;
    private final String folder;
    private final TestTools tools = new TestTools();
    private final Engine engine;

    private Runs(RunTarget target, Path scratch, String folder) {
        this.target = target;
        this.scratch = scratch;
        this.folder = folder;
        this.engine = builder(UnaryOperator.identity()).build();
    }

    /// Builds an engine whose files are below `scratch`.
    static Runs open(RunTarget target, Path scratch) {
        try {
            if (target.has(Behaviour.SHARES_WORKING_FOLDER)) {
                Path here = Files.createDirectories(scratch.resolve("work")).toRealPath();
                return new Runs(target, scratch, here.toString());
            }
            String there = "/tmp/talaria-contract-" + UUID.randomUUID();
            inSandbox(target, "mkdir", "-p", there);
            return new Runs(target, scratch, there);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs a small command without an engine: before it exists or after its end.
    private static void inSandbox(RunTarget target, String... argv) {
        try (Sandbox sandbox = target.find().open(new SandboxSpec(target.options()));
                RunningProcess process = sandbox.start(Command.of(argv))) {
            Optional<Integer> status = process.waitFor(PATIENCE);
            if (status.isEmpty() || status.get() != 0) {
                throw new IllegalStateException(String.join(" ", argv) + " ended with " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    RunTarget target() {
        return target;
    }

    Engine engine() {
        return engine;
    }

    TestTools tools() {
        return tools;
    }

    /// Returns the working folder, as scripts see it.
    String folder() {
        return folder;
    }

    /// Returns a folder that commands and scripts of one session can write to, as they see it.
    String writable() {
        return target.has(Behaviour.READ_ONLY_FOLDER) ? "/tmp" : folder;
    }

    /// Returns a builder for an engine at the same place with other settings.
    EngineBuilder builder(UnaryOperator<Settings> change) {
        Settings settings = target.configure(Settings.defaults(Folders.below(scratch.resolve("home"))))
                .withCwd(folder);
        EngineBuilder builder =
                Engine.builder().settings(change.apply(settings)).environment(environment());
        tools.register(builder);
        return builder;
    }

    /// Returns another engine at the same target; the caller closes it.
    Engine another(UnaryOperator<Settings> change) {
        return builder(change).build();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = hostEnvironment();
        if (!target.has(Behaviour.PYTHON) && target.has(Behaviour.SHARES_HOST)) {
            environment.put("PATH", programsButPython().toString());
        }
        return environment;
    }

    /// Returns a folder with a link to every program of the system except Python.
    private Path programsButPython() {
        Path folder = scratch.resolve("bin");
        try {
            Files.createDirectories(folder);
            for (File program :
                    Optional.ofNullable(new File("/usr/bin").listFiles()).orElseThrow()) {
                Path link = folder.resolve(program.getName());
                if (!program.getName().startsWith("python") && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createSymbolicLink(link, program.toPath());
                }
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeLinks() {
        Optional.ofNullable(scratch.resolve("bin").toFile().listFiles())
                .ifPresent(links -> List.of(links).forEach(File::delete));
    }

    static Map<String, String> hostEnvironment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("VIRTUAL_ENV");
        environment.remove("CONDA_PREFIX");
        environment.remove("PYTHONPATH");
        environment.put("TALARIA_PLANTED_API_KEY", PLANTED_SECRET);
        environment.put("TALARIA_PLANTED_WEBHOOK", PLANTED_SECRET);
        environment.put("TALARIA_PLANTED_PLAIN", "plain");
        environment.put("TALARIA_PASSED_TOKEN", "passed through");
        environment.put("LC_TALARIA", "harmless");
        return environment;
    }

    RunResult run(String code) {
        return run(code, Map.of());
    }

    /// Runs a script with further arguments of `execute_code`.
    RunResult run(String code, Map<String, Object> arguments) {
        return run(engine, code, arguments);
    }

    RunResult run(String code, Map<String, Object> arguments, Cancellation cancellation) {
        return new RunResult(engine.call(call(Caller.java(), code, arguments), cancellation));
    }

    /// Calls any tool.
    RunResult call(String tool, Map<String, Object> arguments) {
        return new RunResult(engine.call(ToolCall.of(tool, arguments)));
    }

    /// Runs a script on another engine.
    static RunResult run(Engine engine, String code, Map<String, Object> arguments) {
        return new RunResult(engine.call(call(Caller.java(), code, arguments)));
    }

    static ToolCall call(Caller caller, String code, Map<String, Object> arguments) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("code", code);
        all.putAll(arguments);
        return ToolCall.of(caller, "execute_code", all);
    }

    /// Returns a caller whose session nobody else uses.
    static Caller freshSession() {
        return new Caller("java", "session-" + SESSIONS.incrementAndGet());
    }

    /// Returns those of the processes that still run, without zombies. If test and script do not
    /// share process numbers, a script checks them.
    Set<Long> living(Collection<Long> pids) {
        if (pids.isEmpty()) {
            return Set.of();
        }
        if (target.has(Behaviour.SHARES_HOST)) {
            return pids.stream().filter(Processes::lives).collect(Collectors.toCollection(TreeSet::new));
        }
        if (!target.has(Behaviour.PYTHON)) {
            return livingAsShellSees(pids);
        }
        String list = pids.stream().map(String::valueOf).collect(Collectors.joining(","));
        return new TreeSet<>(run("""
                def lives(pid):
                    try:
                        with open("/proc/%%d/stat" %% pid) as f:
                            return f.read().rpartition(")")[2].split()[0] not in "ZX"
                    except OSError:
                        return False
                print(*[pid for pid in [%s] if lives(pid)])
                """.formatted(list)).numbers());
    }

    private Set<Long> livingAsShellSees(Collection<Long> pids) {
        String list = pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
        return call(
                        "terminal",
                        Map.of(
                                "command",
                                "for p in " + list + "; do grep -qs ') [^ZX] ' /proc/$p/stat && echo $p; done"))
                .output()
                .lines()
                .map(Long::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void close() {
        engine.close();
        removeLinks(); // JUnit would warn of each link
        if (!target.has(Behaviour.SHARES_WORKING_FOLDER)) {
            inSandbox(target, "rm", "-rf", folder);
        }
    }
}
