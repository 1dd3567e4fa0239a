package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.IN_SANDBOX;
import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// All keys of `talaria.yaml`. The loader, `talaria config` and the documentation read this table.
///
/// One family is not in it: `backends.NAME.OPTION` holds the settings of each backend, which only the backend knows.
/// Those of the chosen backend become {@link Settings#backendOptions()}.
public final class ConfigKeys {
    private static final Settings STANDARD = Settings.defaults(Folders.below(Path.of("/")));
    private static final ScriptSettings SCRIPT = STANDARD.script();
    private static final TerminalSettings TERMINAL = STANDARD.terminal();
    private static final OutputSettings OUTPUT = STANDARD.output();
    private static final ApprovalSettings APPROVALS = STANDARD.approvals();
    private static final SandboxSettings SANDBOX = STANDARD.sandbox();

    static final ConfigKey<String> BACKEND = new ConfigKey<>(
            "backend", ValueKind.backend(), STANDARD.backend(), REFUSED, "Where scripts and commands run.");
    static final ConfigKey<Optional<String>> CWD = new ConfigKey<>(
            "cwd",
            ValueKind.text("a folder inside the sandbox"),
            STANDARD.cwd(),
            REFUSED,
            "The folder in which sessions start, instead of the backend's own default.");
    static final ConfigKey<Optional<List<String>>> TOOLS = new ConfigKey<>(
            "tools",
            ValueKind.namesOrAll(),
            STANDARD.tools(),
            NARROW,
            "The tools that models and scripts may call; an empty list means none.");
    static final ConfigKey<Transport> TRANSPORT = new ConfigKey<>(
            "transport",
            ValueKind.choice(Transport.class),
            STANDARD.transport(),
            REFUSED,
            "How tool calls of scripts travel; auto takes the fastest one that the sandbox offers.");

    static final ConfigKey<ScriptMode> MODE = new ConfigKey<>(
            "script.mode",
            ValueKind.mode(),
            SCRIPT.mode(),
            NARROW,
            "Whether scripts run in the session's folder with the project's Python (project) or in an empty folder"
                    + " with Talaria's (strict).");
    static final ConfigKey<Optional<String>> PYTHON = new ConfigKey<>(
            "script.python",
            ValueKind.text("the path or name of a Python"),
            SCRIPT.python(),
            IN_SANDBOX,
            "The interpreter to use instead of the one that the mode finds; that of a project's file counts only in"
                    + " sandboxes that isolate.");
    static final ConfigKey<Duration> TIMEOUT = new ConfigKey<>(
            "script.timeout",
            ValueKind.limitedDuration(),
            SCRIPT.timeout().standard(),
            NARROW,
            "How long a script may run if its call does not say.");
    static final ConfigKey<Duration> TIMEOUT_CEILING = new ConfigKey<>(
            "script.timeout-ceiling",
            ValueKind.limitedDuration(),
            SCRIPT.timeout().ceiling(),
            NARROW,
            "The longest time that a call can ask for.");
    static final ConfigKey<Integer> TOOL_CALLS = new ConfigKey<>(
            "script.tool-calls",
            ValueKind.limitedCount(),
            SCRIPT.toolCalls().standard(),
            NARROW,
            "How many tool calls a script may make if its call does not say.");
    static final ConfigKey<Integer> TOOL_CALLS_CEILING = new ConfigKey<>(
            "script.tool-calls-ceiling",
            ValueKind.limitedCount(),
            SCRIPT.toolCalls().ceiling(),
            NARROW,
            "The most tool calls that a call can ask for.");
    static final ConfigKey<Integer> STDOUT_BYTES = new ConfigKey<>(
            "script.stdout-bytes",
            ValueKind.intSize(ScriptSettings.MIN_OUTPUT_BYTES, ScriptSettings.MAX_OUTPUT_BYTES),
            SCRIPT.stdoutBytes(),
            NARROW,
            "How much of a script's standard output the model sees; the rest goes to a spill file.");
    static final ConfigKey<Integer> STDERR_BYTES = new ConfigKey<>(
            "script.stderr-bytes",
            ValueKind.intSize(ScriptSettings.MIN_OUTPUT_BYTES, ScriptSettings.MAX_OUTPUT_BYTES),
            SCRIPT.stderrBytes(),
            NARROW,
            "How much of a script's standard error the model sees.");
    static final ConfigKey<Optional<Long>> MEMORY_BYTES = new ConfigKey<>(
            "script.memory-bytes",
            ValueKind.optionalSize(),
            SCRIPT.memoryBytes(),
            NARROW,
            "The address space that each process of a script may use.");
    static final ConfigKey<Optional<Integer>> PROCESSES = new ConfigKey<>(
            "script.processes",
            ValueKind.optionalCount(),
            SCRIPT.processes(),
            NARROW,
            "How many processes a script may have at a time.");

    static final ConfigKey<Duration> COMMAND_TIMEOUT = new ConfigKey<>(
            "terminal.timeout",
            ValueKind.limitedDuration(),
            TERMINAL.timeout().standard(),
            NARROW,
            "How long a command may run if its call does not say, and how long a process is waited for at most.");
    static final ConfigKey<Duration> FOREGROUND_CEILING = new ConfigKey<>(
            "terminal.foreground-ceiling",
            ValueKind.limitedDuration(),
            TERMINAL.timeout().ceiling(),
            NARROW,
            "The longest time that a command is waited for.");
    static final ConfigKey<Boolean> PROMOTE = new ConfigKey<>(
            "terminal.promote",
            ValueKind.flag(),
            TERMINAL.promote(),
            REFUSED,
            "Whether a command that asks for more than that is started in the background; else it is ended at the"
                    + " ceiling.");

    static final ConfigKey<NoticePolicy> NOTICES = new ConfigKey<>(
            "terminal.notices",
            ValueKind.noticePolicy(),
            TERMINAL.notices().policy(),
            REFUSED,
            "Which ends of background processes are told to whoever asked for that; with off, nothing is told at all.");
    static final ConfigKey<Integer> NOTICES_PUSHED = new ConfigKey<>(
            "terminal.notices-pushed",
            ValueKind.limitedCount(),
            TERMINAL.notices().pushed(),
            NARROW,
            "How many notices a session is sent without its asking; later ones come with its next result.");

    static final ConfigKey<List<String>> PASS_THROUGH = new ConfigKey<>(
            "environment.pass-through",
            ValueKind.names(),
            STANDARD.environment().passThrough(),
            REFUSED,
            "Variables of the host that scripts get although their names are not on the safe list.");
    static final ConfigKey<Optional<String>> TIMEZONE = new ConfigKey<>(
            "environment.timezone",
            ValueKind.text("a time zone such as Europe/Athens"),
            STANDARD.environment().timezone(),
            REFUSED,
            "The time zone of scripts, instead of the machine's own.");
    static final ConfigKey<Optional<String>> HOME = new ConfigKey<>(
            "environment.home",
            ValueKind.text("a folder"),
            STANDARD.environment().home(),
            REFUSED,
            "The HOME of scripts, instead of the user's own.");

    static final ConfigKey<Boolean> REDACT = new ConfigKey<>(
            "output.redact", ValueKind.flag(), OUTPUT.redact(), REFUSED, "Whether secrets in output are masked.");
    static final ConfigKey<Integer> RESULT_CHARS = new ConfigKey<>(
            "output.result-chars",
            ValueKind.count(OutputSettings.MIN_RESULT_CHARS, Integer.MAX_VALUE),
            OUTPUT.resultChars(),
            NARROW,
            "The most characters that one result may hold.");
    static final ConfigKey<Long> SPILL_BYTES = new ConfigKey<>(
            "output.spill-bytes",
            ValueKind.size(),
            OUTPUT.spillBytes(),
            NARROW,
            "How much of a long output one spill file keeps.");
    static final ConfigKey<Long> SPILL_TOTAL = new ConfigKey<>(
            "output.spill-total",
            ValueKind.size(),
            OUTPUT.spillTotal(),
            REFUSED, // a lower one would make room by deleting other projects' files
            "How much all spill files keep together; the oldest make room.");
    static final ConfigKey<Duration> SPILL_KEEP = new ConfigKey<>(
            "output.spill-keep",
            ValueKind.duration(),
            OUTPUT.spillKeep(),
            REFUSED, // as above
            "How long a spill file is kept.");

    static final ConfigKey<Integer> MAX_LINE_BYTES = new ConfigKey<>(
            "rpc.max-line-bytes",
            ValueKind.intSize(RpcSettings.MIN_LINE_BYTES, Integer.MAX_VALUE),
            STANDARD.rpc().maxLineBytes(),
            NARROW,
            "The longest tool call of a script that is read.");
    static final ConfigKey<Boolean> COMPATIBLE = new ConfigKey<>(
            "rpc.compatible",
            ValueKind.flag(),
            STANDARD.rpc().compatible(),
            REFUSED,
            "Whether tool calls without id and token are served, as Hermes' own stub sends them.");

    static final ConfigKey<ApprovalMode> APPROVAL_MODE = new ConfigKey<>(
            "approvals.mode",
            ValueKind.approvalMode(),
            APPROVALS.mode(),
            REFUSED,
            "Who decides about dangerous commands where the host is in reach: a person is asked about them (manual) or"
                    + " about each script, too (ask), or nobody is asked (allow, deny).");
    static final ConfigKey<Duration> APPROVAL_TIMEOUT = new ConfigKey<>(
            "approvals.timeout",
            ValueKind.duration(),
            APPROVALS.timeout(),
            REFUSED,
            "How long an answer is waited for; silence is a no.");
    static final ConfigKey<Duration> APPROVAL_PENDING = new ConfigKey<>(
            "approvals.pending",
            ValueKind.duration(),
            APPROVALS.pending(),
            REFUSED,
            "How long a question waits for 'talaria approvals answer' where nobody can be asked, and its answer for the"
                    + " call.");
    static final ConfigKey<List<String>> APPROVAL_DENY = new ConfigKey<>(
            "approvals.deny",
            ValueKind.patterns(),
            APPROVALS.deny(),
            REFUSED,
            "What never runs, in any sandbox: commands, and scripts by their lines, in which one of these is found.");
    static final ConfigKey<List<String>> APPROVAL_ALLOW = new ConfigKey<>(
            "approvals.allow",
            ValueKind.patterns(),
            APPROVALS.allow(),
            REFUSED,
            "Commands that run without a question: one of these matches the whole of it, and it is a single program with"
                    + " its words.");

    static final ConfigKey<Optional<String>> SUDO_PASSWORD = new ConfigKey<>(
            "sudo.password",
            ValueKind.secret("a password, on one line"),
            STANDARD.sudo().password(),
            REFUSED,
            "What sudo is told when a command that names it needs a password; without it the person at the terminal is"
                    + " asked. Keep the file to yourself (chmod 600).");
    static final ConfigKey<Duration> SUDO_TIMEOUT = new ConfigKey<>(
            "sudo.prompt-timeout",
            ValueKind.duration(),
            STANDARD.sudo().timeout(),
            REFUSED,
            "How long a person is waited for who is asked for sudo's password.");

    static final ConfigKey<SandboxScope> SANDBOX_SCOPE = new ConfigKey<>(
            "sandbox.scope",
            ValueKind.choice(SandboxScope.class),
            SANDBOX.scope(),
            REFUSED,
            "Whether each session has a sandbox of its own (session) or all share one, with one shell (shared).");
    static final ConfigKey<Boolean> SANDBOX_OWN_FOLDER = new ConfigKey<>(
            "sandbox.own-folder",
            ValueKind.flag(),
            SANDBOX.ownFolder(),
            REFUSED,
            "Whether each session works in a folder of its own below the working folder, so that sessions side by side"
                    + " keep out of each other's way; on local and bubblewrap.");
    static final ConfigKey<Duration> SANDBOX_IDLE = new ConfigKey<>(
            "sandbox.idle",
            ValueKind.idleTime(),
            SANDBOX.idle(),
            REFUSED,
            "How long a sandbox is kept that nobody uses and in which nothing runs.");
    static final ConfigKey<Integer> SANDBOX_WARM = new ConfigKey<>(
            "sandbox.warm",
            ValueKind.count(0, SandboxSettings.MOST_WARM),
            SANDBOX.warm(),
            REFUSED,
            "How many sandboxes are kept ready for sessions to come.");
    static final ConfigKey<Optional<String>> SANDBOX_SHARED_KEY = new ConfigKey<>(
            "sandbox.shared-key",
            ValueKind.text("a name"),
            SANDBOX.sharedKey(),
            REFUSED,
            "The name of the kept home and workspace that all sessions use; on docker and podman with persistent: true.");
    static final ConfigKey<Optional<String>> SYNC = new ConfigKey<>(
            "sync.folder",
            ValueKind.text("a folder of this machine"),
            STANDARD.sync().folder(),
            REFUSED,
            "The folder that is brought into a sandbox before its first command: what is missing there, or differs.");
    static final ConfigKey<Optional<String>> SYNC_TO = new ConfigKey<>(
            "sync.remote",
            ValueKind.text("a folder inside the sandbox"),
            STANDARD.sync().to(),
            REFUSED,
            "Where that folder goes, instead of the sandbox's cwd.");
    static final ConfigKey<Optional<String>> SYNC_BACK = new ConfigKey<>(
            "sync.back",
            ValueKind.text("a folder of this machine"),
            STANDARD.sync().back(),
            REFUSED,
            "The folder that what was changed or made there comes into when the sandbox is closed; never the folder it"
                    + " came from.");
    static final ConfigKey<List<String>> SYNC_EXCLUDE = new ConfigKey<>(
            "sync.exclude",
            ValueKind.fileNames(),
            STANDARD.sync().exclude(),
            REFUSED,
            "Names that are left out in both directions; files that hold secrets, such as .env, always are.");
    static final ConfigKey<Long> SYNC_BACK_BYTES = new ConfigKey<>(
            "sync.back-bytes", ValueKind.size(), STANDARD.sync().backBytes(), NARROW, "The most that comes back.");

    private static final List<ConfigKey<?>> ALL = List.of(
            BACKEND,
            CWD,
            TOOLS,
            TRANSPORT,
            MODE,
            PYTHON,
            TIMEOUT,
            TIMEOUT_CEILING,
            TOOL_CALLS,
            TOOL_CALLS_CEILING,
            STDOUT_BYTES,
            STDERR_BYTES,
            MEMORY_BYTES,
            PROCESSES,
            COMMAND_TIMEOUT,
            FOREGROUND_CEILING,
            PROMOTE,
            NOTICES,
            NOTICES_PUSHED,
            PASS_THROUGH,
            TIMEZONE,
            HOME,
            REDACT,
            RESULT_CHARS,
            SPILL_BYTES,
            SPILL_TOTAL,
            SPILL_KEEP,
            MAX_LINE_BYTES,
            COMPATIBLE,
            APPROVAL_MODE,
            APPROVAL_TIMEOUT,
            APPROVAL_PENDING,
            APPROVAL_DENY,
            APPROVAL_ALLOW,
            SUDO_PASSWORD,
            SUDO_TIMEOUT,
            SANDBOX_SCOPE,
            SANDBOX_OWN_FOLDER,
            SANDBOX_IDLE,
            SANDBOX_WARM,
            SANDBOX_SHARED_KEY,
            SYNC,
            SYNC_TO,
            SYNC_BACK,
            SYNC_EXCLUDE,
            SYNC_BACK_BYTES);

    private ConfigKeys() {}

    /// Returns all keys, in the order of the documentation.
    public static List<ConfigKey<?>> all() {
        return ALL;
    }

    /// Returns the key with the full name `name`, such as `script.timeout`.
    public static Optional<ConfigKey<?>> find(String name) {
        return ALL.stream()
                .<ConfigKey<?>>map(key -> key)
                .filter(key -> key.name().equals(name))
                .findFirst();
    }
}
