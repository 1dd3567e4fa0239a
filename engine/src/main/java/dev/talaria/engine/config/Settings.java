package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import dev.talaria.api.Backend;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// All settings with their effective values. `ConfigLoader` reads them; a program can also build them.
///
/// @param backend name of the backend that opens sandboxes
/// @param backendOptions that backend's own settings
/// @param transport how tool calls of scripts travel
/// @param tools names of the tools that may be called; absent means all, an empty list means none
/// @param script how scripts run
/// @param terminal how commands run
/// @param environment what scripts see of the host's environment
/// @param output what happens to output
/// @param rpc how the engine listens to tool calls of scripts
/// @param approvals what may be done, and who is asked
/// @param sudo how sudo gets its password
/// @param sandbox how long sandboxes live, and who shares them
/// @param sync which folder goes into a sandbox before its first command
/// @param folders where Talaria keeps its files
/// @param cwd working folder inside the sandbox; the backend's own default if absent
public record Settings(
        String backend,
        Map<String, String> backendOptions,
        Transport transport,
        Optional<List<String>> tools,
        ScriptSettings script,
        TerminalSettings terminal,
        ChildEnvironment environment,
        OutputSettings output,
        RpcSettings rpc,
        ApprovalSettings approvals,
        SudoSettings sudo,
        SandboxSettings sandbox,
        SyncSettings sync,
        Folders folders,
        Optional<String> cwd) {

    private static final Set<String> TRUE = Set.of("true", "yes", "on", "1");

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<String> BACKEND =
            KEYS.add("backend", ValueKind.backend(), "local", REFUSED, "Where scripts and commands run.");
    static final ConfigKey<Optional<String>> CWD = KEYS.add(
            "cwd",
            ValueKind.text("a folder inside the sandbox"),
            Optional.empty(),
            REFUSED,
            "The folder in which sessions start, instead of the backend's own default.");
    static final ConfigKey<Optional<List<String>>> TOOLS = KEYS.add(
            "tools",
            ValueKind.namesOrAll(),
            Optional.empty(),
            NARROW,
            "The tools that models and scripts may call; an empty list means none.");
    static final ConfigKey<Transport> TRANSPORT = KEYS.add(
            "transport",
            ValueKind.choice(Transport.class),
            Transport.AUTO,
            REFUSED,
            "How tool calls of scripts travel; auto takes the fastest one that the sandbox offers.");

    public Settings {
        if (backend.isBlank()) {
            throw new IllegalArgumentException(BACKEND + " is empty. Name one, such as local.");
        }
        backendOptions = Map.copyOf(backendOptions);
        tools = tools.map(List::copyOf);
    }

    /// Returns the settings that count when nothing is configured, with this user's folders.
    public static Settings defaults() {
        return defaults(Folders.standard());
    }

    /// Returns the settings that count when nothing is configured.
    public static Settings defaults(Folders folders) {
        return from(new Choices(), folders);
    }

    static Settings from(Choices choices, Folders folders) {
        String backend = choices.value(BACKEND);
        return new Settings(
                backend,
                choices.options(backend),
                choices.value(TRANSPORT),
                choices.value(TOOLS),
                ScriptSettings.from(choices),
                TerminalSettings.from(choices),
                ChildEnvironment.from(choices),
                OutputSettings.from(choices),
                RpcSettings.from(choices),
                ApprovalSettings.from(choices),
                SudoSettings.from(choices),
                SandboxSettings.from(choices),
                SyncSettings.from(choices),
                folders,
                choices.value(CWD));
    }

    /// Returns whether `tool` may be called.
    public boolean allows(String tool) {
        return tools.map(names -> names.contains(tool)).orElse(true);
    }

    public Settings withBackend(String newBackend, Map<String, String> newOptions) {
        return with(changed -> {
            changed.backend = newBackend;
            changed.backendOptions = newOptions;
        });
    }

    /// Returns whether files of a backend's sandbox outlive it for the next sandbox of the same session.
    public boolean keeps(Backend of) {
        return of.keepOption()
                .map(option -> backendOptions.getOrDefault(option, "false"))
                .filter(value -> TRUE.contains(value.strip().toLowerCase(Locale.ROOT)))
                .isPresent();
    }

    public Settings withTransport(Transport newTransport) {
        return with(changed -> changed.transport = newTransport);
    }

    public Settings withTools(List<String> newTools) {
        return with(changed -> changed.tools = Optional.of(newTools));
    }

    public Settings withScript(ScriptSettings newScript) {
        return with(changed -> changed.script = newScript);
    }

    public Settings withTerminal(TerminalSettings newTerminal) {
        return with(changed -> changed.terminal = newTerminal);
    }

    public Settings withEnvironment(ChildEnvironment newEnvironment) {
        return with(changed -> changed.environment = newEnvironment);
    }

    public Settings withRpc(RpcSettings newRpc) {
        return with(changed -> changed.rpc = newRpc);
    }

    public Settings withApprovals(ApprovalSettings newApprovals) {
        return with(changed -> changed.approvals = newApprovals);
    }

    public Settings withSudo(SudoSettings newSudo) {
        return with(changed -> changed.sudo = newSudo);
    }

    public Settings withSandbox(SandboxSettings newSandbox) {
        return with(changed -> changed.sandbox = newSandbox);
    }

    public Settings withSync(SyncSettings newSync) {
        return with(changed -> changed.sync = newSync);
    }

    public Settings withCwd(String newCwd) {
        return with(changed -> changed.cwd = Optional.of(newCwd));
    }

    private Settings with(Consumer<Changed> change) {
        Changed changed = new Changed();
        change.accept(changed);
        return changed.settings();
    }

    /// A mutable copy of the settings, so that each `with` method only names what it changes.
    private final class Changed {
        private String backend = Settings.this.backend;
        private Map<String, String> backendOptions = Settings.this.backendOptions;
        private Transport transport = Settings.this.transport;
        private Optional<List<String>> tools = Settings.this.tools;
        private ScriptSettings script = Settings.this.script;
        private TerminalSettings terminal = Settings.this.terminal;
        private ChildEnvironment environment = Settings.this.environment;
        private RpcSettings rpc = Settings.this.rpc;
        private ApprovalSettings approvals = Settings.this.approvals;
        private SudoSettings sudo = Settings.this.sudo;
        private SandboxSettings sandbox = Settings.this.sandbox;
        private SyncSettings sync = Settings.this.sync;
        private Optional<String> cwd = Settings.this.cwd;

        Settings settings() {
            return new Settings(
                    backend,
                    backendOptions,
                    transport,
                    tools,
                    script,
                    terminal,
                    environment,
                    output,
                    rpc,
                    approvals,
                    sudo,
                    sandbox,
                    sync,
                    folders,
                    cwd);
        }
    }
}
