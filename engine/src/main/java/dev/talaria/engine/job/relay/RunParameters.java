package dev.talaria.engine.job.relay;

import dev.talaria.engine.job.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Turns jobs into the relay's parameters. Values that many runs share (environment, stub module) are
/// sent once, and later runs send only their name.
final class RunParameters {
    private static final String TOKEN = "HERMES_RPC_TOKEN";

    private final Map<Map<String, String>, String> environments = new HashMap<>(); // guarded by this
    private final Set<String> stubs = new HashSet<>(); // guarded by this

    /// Sends a job. One thread at a time: a name must reach the relay after its value.
    synchronized void send(JobSpec spec, Consumer<Map<String, Object>> sender) {
        Map<String, Object> p = new LinkedHashMap<>();
        JobSpec.Surroundings around = spec.surroundings();
        p.put("inherit", around.inherit());
        around.cwd().ifPresent(cwd -> p.put("cwd", cwd));
        around.bounds().memory().ifPresent(bytes -> p.put("memory", bytes));
        around.bounds().processes().ifPresent(count -> p.put("processes", count));
        environment(around.environment(), p);
        switch (spec) {
            case JobSpec.Script script -> script(script, p);
            case JobSpec.Program program -> program(program, p);
            case JobSpec.Background background -> background(background, p);
        }
        sender.accept(p);
    }

    private static void line(JobSpec.Line line, Map<String, Object> p) {
        Map<String, Object> shell = new LinkedHashMap<>();
        shell.put("command", line.command());
        line.workdir().ifPresent(folder -> shell.put("workdir", folder));
        if (!line.own().isEmpty()) {
            shell.put("own", line.own());
        }
        if (line.askpass().isPresent()) {
            shell.put("sudo", true);
        }
        if (line.start() != JobSpec.Line.Start.RESTORED) {
            shell.put("take", line.start().name().toLowerCase(Locale.ROOT));
            shell.put("never", line.secrets());
        }
        p.remove("cwd");
        line.folder().ifPresent(folder -> p.put("cwd", folder));
        p.put("shell", shell);
    }

    private void environment(Map<String, String> variables, Map<String, Object> p) {
        Map<String, String> shared = variables;
        if (shared.containsKey(TOKEN)) {
            shared = new HashMap<>(shared);
            p.put("env_own", Map.of(TOKEN, shared.remove(TOKEN)));
        }
        String name = environments.get(shared);
        if (name == null) {
            name = "e" + environments.size();
            environments.put(shared, name);
            p.put("env", shared);
        }
        p.put("env_hash", name);
    }

    private static void program(JobSpec.Program program, Map<String, Object> p) {
        p.put("kind", "program");
        program.line().ifPresentOrElse(line -> line(line, p), () -> p.put("argv", program.argv()));
        p.put("stdin", program.stdin());
    }

    private static void background(JobSpec.Background background, Map<String, Object> p) {
        program(background.program(), p);
        p.put("background", true);
        p.put("apart", background.apart());
        background.screen().ifPresent(screen -> p.put("pty", List.of(screen.rows(), screen.columns())));
    }

    private void script(JobSpec.Script script, Map<String, Object> p) {
        p.put("kind", "script");
        p.put("code", script.code());
        p.put("args", script.args());
        p.put("live", script.live());
        script.python().ifPresent(python -> p.put("python", python));
        script.socket().ifPresent(socket -> p.put("socket", socket));
        p.put("stub_hash", script.stubs().hash());
        if (stubs.add(script.stubs().hash())) {
            p.put("stub", script.stubs().source());
        }
    }
}
