package dev.talaria.engine.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything that can be configured, with its effective value. `ConfigLoader` reads one; programs may build one.
///
/// @param backend name of the backend that opens sandboxes
/// @param backendOptions that backend's own settings
/// @param transport how tool calls of scripts travel
/// @param tools names of the tools that may be called; absent means all, an empty list means none
/// @param script how scripts run
/// @param environment what scripts see of the host's environment
/// @param output what happens to output
/// @param rpc how the engine listens to tool calls of scripts
/// @param approvals what may be done, and who is asked
/// @param sudo how sudo gets its password
/// @param folders where Talaria keeps its files
/// @param cwd working folder inside the sandbox; the backend's own default if absent
public record Settings(
        String backend,
        Map<String, String> backendOptions,
        Transport transport,
        Optional<List<String>> tools,
        ScriptSettings script,
        ChildEnvironment environment,
        OutputSettings output,
        RpcSettings rpc,
        ApprovalSettings approvals,
        SudoSettings sudo,
        Folders folders,
        Optional<String> cwd) {

    public Settings {
        if (backend.isBlank()) {
            throw new IllegalArgumentException("backend is empty. Name one, such as local.");
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
        return new Settings(
                "local",
                Map.of(),
                Transport.AUTO,
                Optional.empty(),
                ScriptSettings.defaults(),
                ChildEnvironment.defaults(),
                OutputSettings.defaults(),
                RpcSettings.defaults(),
                ApprovalSettings.defaults(),
                SudoSettings.defaults(),
                folders,
                Optional.empty());
    }

    /// Returns whether `tool` may be called.
    public boolean allows(String tool) {
        return tools.map(names -> names.contains(tool)).orElse(true);
    }

    public Settings withBackend(String newBackend, Map<String, String> newOptions) {
        return new Settings(
                newBackend,
                newOptions,
                transport,
                tools,
                script,
                environment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withTransport(Transport newTransport) {
        return new Settings(
                backend,
                backendOptions,
                newTransport,
                tools,
                script,
                environment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withTools(List<String> newTools) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                Optional.of(newTools),
                script,
                environment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withScript(ScriptSettings newScript) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                newScript,
                environment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withEnvironment(ChildEnvironment newEnvironment) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                script,
                newEnvironment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withRpc(RpcSettings newRpc) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                script,
                environment,
                output,
                newRpc,
                approvals,
                sudo,
                folders,
                cwd);
    }

    public Settings withApprovals(ApprovalSettings newApprovals) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                script,
                environment,
                output,
                rpc,
                newApprovals,
                sudo,
                folders,
                cwd);
    }

    public Settings withSudo(SudoSettings newSudo) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                script,
                environment,
                output,
                rpc,
                approvals,
                newSudo,
                folders,
                cwd);
    }

    public Settings withCwd(String newCwd) {
        return new Settings(
                backend,
                backendOptions,
                transport,
                tools,
                script,
                environment,
                output,
                rpc,
                approvals,
                sudo,
                folders,
                Optional.of(newCwd));
    }
}
