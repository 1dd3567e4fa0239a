package dev.talaria.engine.tool.process;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Screen;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.shell.CommandSetup;
import dev.talaria.engine.shell.ReadyCommand;
import dev.talaria.engine.shell.Snapshots;
import dev.talaria.engine.sudo.SudoPasswords;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The half of the tool `terminal` that does not wait: it starts a command and returns.
public final class BackgroundTerminal {
    private static final String WITHOUT_PYTHON = "There is no Python in this sandbox: the process runs by direct exec."
            + " Its children that leave its session may not be found when it is ended.";
    private static final Duration START = Duration.ofMinutes(1);

    private final CommandSetup setup;
    private final ProcessRegistry registry;
    private final SudoPasswords passwords;

    public BackgroundTerminal(CommandSetup setup, ProcessRegistry registry, SudoPasswords passwords) {
        this.setup = setup;
        this.registry = registry;
        this.passwords = passwords;
    }

    /// Starts the command of a call and returns the id of its process.
    public ToolResult call(ToolContext context) {
        BackgroundFlags flags = BackgroundFlags.of(context.arguments());
        // The notices of a surviving process wait for the next session.
        boolean untold = context.call().caller().oneShot() && !flags.survives();
        return start(context, untold ? flags.untold() : flags);
    }

    /// Starts a command whose timeout is longer than any call may wait. A notice reports its end.
    public ToolResult promoted(ToolContext context, Duration asked, Duration most) {
        ToolResult result = start(context, BackgroundFlags.of(Map.of("notify", true)));
        if (!(result instanceof ToolResult.Backgrounded started)) {
            return result;
        }
        // A command in the foreground has no input. With an input, a shell could read commands that no gate has seen.
        registry.find(context.call().caller().session(), started.process()).ifPresent(BackgroundProcess::endInput);
        Map<String, Object> value = new LinkedHashMap<>(started.value());
        value.put(
                "promoted_from_foreground",
                "A command is waited for " + most.toSeconds() + " s at most and this one may take " + asked.toSeconds()
                        + " s, so it runs in the background. Do not run it again: "
                        + (value.containsKey("notify_on_complete") ? "its end is told, and " : "")
                        + "process(action=\"wait\") waits for it.");
        return started.withValue(value);
    }

    /// Returns an output sink that can turn the running command into a background process at its timeout.
    ///
    /// @param output receives the command's output until then
    public HandOver handOver(ToolContext context, String command, OutputSink output) {
        return new HandOver(registry, context, command, output);
    }

    private ToolResult start(ToolContext context, BackgroundFlags wanted) {
        BackgroundFlags flags = wanted.under(registry.policy());
        Patience patience = Patience.of(context).atMost(START);
        String command = String.valueOf(context.arguments().get("command"));
        Optional<String> workdir = JsonFields.filled(context.arguments(), "workdir");
        ReadyCommand ready = setup.ready(context, command, workdir, patience);
        SandboxLease lease = ready.lease();
        Optional<Relay> relay = lease.relay();
        boolean survives = flags.survives() && lease.sandbox().keepsProcesses() && relay.isPresent();
        JobSpec.Program plain = withSudo(ready.program().withInput(), context, command, lease, flags, survives);
        JobSpec.Program program = plain.withVariables(variables(plain, flags.pty()));
        JobSpec.Background spec =
                new JobSpec.Background(program, flags.pty() ? Optional.of(Screen.STANDARD) : Optional.empty(), true);
        Optional<String> moved = survives || relay.isEmpty() ? Optional.empty() : lease.folder();
        Optional<String> cwd = moved.map(
                        from -> workdir.map(given -> below(from, given)).orElse(from))
                .or(program::cwd);
        BackgroundProcess.Origin origin = new BackgroundProcess.Origin(
                ProcessRegistry.freshId(), context.call(), command, cwd, Instant.now(), flags, false);
        BackgroundProcess process = survives
                ? registry.startSurviving(origin, spec, lease, relay.get(), patience)
                : registry.start(origin, spec, ready.launcher());
        OptionalLong pid = patience.await(process.begun());
        Optional<ProcessEnd> failed = pid.isPresent()
                ? Optional.empty()
                : Optional.of(patience.await(process.ended()))
                        .filter(how ->
                                how.reason() != ProcessEnd.Reason.EXITED && how.reason() != ProcessEnd.Reason.KILLED);
        return failed.map(how -> notStarted(process, how)).orElseGet(() -> {
            Map<String, Object> value = started(process, pid, flags, lease, survives);
            ready.failure()
                    .map(Snapshots.Failure::told)
                    .or(() -> relay.isPresent() ? Optional.empty() : Optional.of(WITHOUT_PYTHON))
                    .ifPresent(why -> value.put("fallback", why));
            return lease.described(new ToolResult.Backgrounded(process.id(), value));
        });
    }

    private static String below(String folder, String workdir) {
        return workdir.startsWith("/") || workdir.startsWith("~") ? workdir : folder + "/" + workdir;
    }

    /// A surviving process has nobody to ask. On a terminal sudo asks by itself, unless we have a password.
    private JobSpec.Program withSudo(
            JobSpec.Program program,
            ToolContext context,
            String command,
            SandboxLease lease,
            BackgroundFlags flags,
            boolean survives) {
        return survives || (flags.pty() && !passwords.any())
                ? program
                : passwords
                        .of(context, command, lease.sandbox().name())
                        .map(program::withAskpass)
                        .orElse(program);
    }

    private static Map<String, String> variables(JobSpec.Program program, boolean pty) {
        Map<String, String> own = new LinkedHashMap<>();
        own.put("PYTHONUNBUFFERED", "1"); // a caller that polls wants to see the output at once
        if (pty && List.of("", "dumb").contains(program.environment().getOrDefault("TERM", ""))) {
            own.put("TERM", "xterm-256color");
        }
        return own;
    }

    private static ToolResult notStarted(BackgroundProcess process, ProcessEnd how) {
        String message = "The process could not be started: " + how.why().orElse("nobody knows why") + ".";
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", process.recent().tail(NoticeSender.OUTPUT_CHARS));
        value.put("exit_code", how.exitCode());
        value.put("error", message);
        value.put("status", how.reason().word());
        return new ToolResult.Failed(
                how.reason() == ProcessEnd.Reason.LOST ? ErrorCode.SANDBOX_LOST : ErrorCode.INVALID_ARGUMENT,
                message,
                value);
    }

    private static Map<String, Object> started(
            BackgroundProcess process, OptionalLong pid, BackgroundFlags flags, SandboxLease lease, boolean survives) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "Background process started");
        value.put("session_id", process.id());
        pid.ifPresent(number -> value.put("pid", number));
        value.put("exit_code", 0);
        value.put("error", null);
        if (flags.tells()) {
            value.put("notify_on_complete", true);
        }
        if (!flags.watch().isEmpty()) {
            value.put("watch_patterns", flags.watch());
        }
        flags.heartbeat().ifPresent(every -> value.put("heartbeat_seconds", every.toSeconds()));
        if (flags.survives()) {
            value.put("persist_on_release", survives);
        }
        if (flags.survives() && !survives) {
            value.put(
                    "persist_note",
                    "In sandbox " + lease.sandbox().name()
                            + " a process ends with Talaria at the latest; it is kept until then.");
        }
        value.putAll(flags.notes());
        BackgroundProcess.Origin origin = process.origin();
        StartHint.of(origin.command(), flags, origin.call().caller().oneShot() && !survives)
                .ifPresent(hint -> value.put("hint", hint));
        return value;
    }
}
