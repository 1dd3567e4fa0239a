package dev.talaria.cli.doctor;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.api.Caller;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs a script in the chosen backend and compares its report with the backend's declarations.
final class Probe {
    private static final int LIMIT = 1000; // used where there is none, to see how a limit is enforced

    private final Settings settings;
    private final Map<String, String> environment;
    private final List<Finding> findings = new ArrayList<>();

    Probe(Settings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
    }

    /// Returns the findings of a real run. A backend without a successful run is a failure.
    List<Finding> findings() {
        try {
            Isolation declared = declared();
            try (Escapes escapes = Escapes.prepare(settings, declared)) {
                Map<String, Object> facts = run(declared, escapes);
                python(facts);
                isolation(declared, facts);
                terminal(facts);
                findings.addAll(escapes.findings(facts));
            }
        } catch (SandboxException e) {
            findings.add(Finding.fail(
                    "backend",
                    settings.backend() + ": " + e.getMessage(),
                    "Mend that, or choose another one with --backend."));
        }
        return List.copyOf(findings);
    }

    private Isolation declared() {
        Optional<Backend> backend = Backends.find(settings.backend());
        if (backend.isEmpty()) {
            return Isolation.NONE; // building the engine reports it better
        }
        SandboxSpec spec = new SandboxSpec(settings.backendOptions());
        try (Sandbox sandbox = backend.get().open(settings.cwd().map(spec::in).orElse(spec))) {
            sandbox.remarks()
                    .forEach(remark -> findings.add(Finding.warn(
                            "sandbox",
                            remark,
                            "See docs/backends.md for the options of the backend " + settings.backend() + ".")));
            return sandbox.isolation();
        }
    }

    private Map<String, Object> run(Isolation declared, Escapes escapes) {
        List<String> args = List.of(Json.text(escapes.orders()));
        // A probe leaves nothing behind, so it uploads nothing.
        Settings probing = settings.withSync(settings.sync().off())
                .withScript(settings.script()
                        .withProcesses(settings.script().processes().orElse(LIMIT)));
        try (Engine engine = Engine.builder()
                .settings(probing)
                .environment(environment)
                .notDumpable()
                .build()) {
            ToolResult result = engine.call(ToolCall.of(
                    new Caller("cli", Caller.DEFAULT_SESSION),
                    Engine.EXECUTE_CODE,
                    Map.of("code", script(), "args", args)));
            Object output = result.value().get("output");
            Object took = result.value().get("duration_seconds");
            try {
                Map<String, Object> facts = Json.object(String.valueOf(output));
                if (declared == Isolation.NONE) {
                    findings.add(processes(result));
                }
                findings.add(
                        Finding.ok("run", "a script ran on the backend " + settings.backend() + " in " + took + " s"));
                return facts;
            } catch (IllegalArgumentException e) {
                Object error =
                        Optional.<Object>ofNullable(result.value().get("error")).orElse(output);
                findings.add(Finding.fail(
                        "run", "no script runs on the backend " + settings.backend() + ": " + error, nextStep(result)));
                return Map.of();
            }
        }
    }

    /// Returns what limits a script that forks endlessly; a sandbox has its own limits.
    private static Finding processes(ToolResult result) {
        Map<?, ?> limits = JsonFields.object(result.value(), "limits");
        String bound = String.valueOf(JsonFields.object(limits, "processes").get("bound"));
        if (bound.equals("exact")) {
            return Finding.ok("processes", "script.processes is enforced by a control group of the kernel");
        }
        if (bound.equals("approximate")) {
            return Finding.ok(
                    "processes",
                    "script.processes is enforced approximately (RLIMIT_NPROC, which counts all of your processes and"
                            + " threads)");
        }
        return Finding.warn(
                "processes",
                "nothing bounds how many processes a script starts: script.processes is only looked at from time to"
                        + " time, and a fork bomb is faster",
                "Run Talaria where it may make control groups, or as an ordinary user outside of containers, or choose a"
                        + " backend that isolates.");
    }

    private static String nextStep(ToolResult result) {
        return result instanceof ToolResult.Failed failed && failed.code().retriable()
                ? "Try again, or choose another backend with --backend."
                : "Install Python 3.8 or newer where scripts run, or name one with --python.";
    }

    private void python(Map<String, Object> facts) {
        if (facts.isEmpty()) {
            return;
        }
        findings.add(Finding.ok("python", facts.get("python") + ", " + facts.get("executable")));
        if (Boolean.FALSE.equals(facts.get("tools"))) {
            findings.add(Finding.fail("tools", "the script could not call a tool", "Try --transport stream or file."));
        } else if (Boolean.TRUE.equals(facts.get("tools"))) {
            findings.add(Finding.ok("tools", "the script called a tool and got its answer"));
        }
    }

    private void isolation(Isolation declared, Map<String, Object> facts) {
        if (facts.isEmpty()) {
            return;
        }
        boolean apart = differs(facts, "mnt") && differs(facts, "pid");
        boolean reads = Boolean.TRUE.equals(facts.get("memory"));
        String backend = settings.backend() + ": " + declared;
        findings.add(
                switch (declared) {
                    case NONE ->
                        Finding.warn(
                                "isolation",
                                backend + ". Scripts and commands can do whatever you can"
                                        + (reads ? ", and read Talaria's own memory" : ""),
                                "For code that you do not trust choose a backend that isolates, such as --backend"
                                        + " bubblewrap.");
                    case NAMESPACE, CONTAINER, KERNEL ->
                        apart && !reads
                                ? Finding.ok("isolation", backend + ", seen from inside: own files and processes")
                                : Finding.fail(
                                        "isolation",
                                        backend + " is declared, but a script "
                                                + (reads
                                                        ? "can read Talaria's memory"
                                                        : "shares our processes or files"),
                                        "Do not run code there that you do not trust.");
                    case MACHINE ->
                        boot().equals(facts.get("boot"))
                                ? Finding.warn(
                                        "isolation",
                                        backend + " is declared, but it is this very machine",
                                        "Fine for tests; otherwise check the host's name.")
                                : Finding.ok("isolation", backend + ", seen from inside: another kernel");
                });
    }

    private void terminal(Map<String, Object> facts) {
        if (Boolean.TRUE.equals(facts.get("tty"))) {
            findings.add(Finding.fail(
                    "terminal", "a script can open your terminal (/dev/tty)", "Install setsid (package util-linux)."));
        } else if (!facts.isEmpty()) {
            findings.add(Finding.ok(
                    "terminal", hasTerminal() ? "scripts cannot open yours (/dev/tty)" : "Talaria has none here"));
        }
    }

    private static boolean hasTerminal() {
        try (var _ = Files.newByteChannel(Path.of("/dev/tty"))) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean differs(Map<String, Object> facts, String namespace) {
        try {
            String ours = Files.readSymbolicLink(Path.of("/proc/self/ns/" + namespace))
                    .toString();
            return !ours.equals(facts.get(namespace));
        } catch (IOException e) {
            return false;
        }
    }

    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String script() {
        try (InputStream in = Probe.class.getResourceAsStream("probe.py")) {
            if (in == null) {
                throw new IllegalStateException("probe.py is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
