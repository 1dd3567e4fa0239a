package dev.talaria.engine.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All keys of `talaria.yaml`. The loader, `talaria config` and the documentation read this table.
///
/// The record of settings that a key belongs to declares the key with its default. One family is missing here:
/// `backends.NAME.OPTION` holds the options of a backend, which only the backend knows. The options of the chosen
/// backend become {@link Settings#backendOptions()}.
public final class ConfigKeys {
    private static final List<ConfigKey<?>> ALL = Stream.of(
                    Settings.KEYS,
                    ScriptSettings.KEYS,
                    TerminalSettings.KEYS,
                    NoticeSettings.KEYS,
                    ChildEnvironment.KEYS,
                    OutputSettings.KEYS,
                    RpcSettings.KEYS,
                    ApprovalSettings.KEYS,
                    SudoSettings.KEYS,
                    SandboxSettings.KEYS,
                    SyncSettings.KEYS)
            .<ConfigKey<?>>flatMap(section -> section.all().stream())
            .toList();

    private ConfigKeys() {}

    /// Returns all keys, in the order of the documentation.
    public static List<ConfigKey<?>> all() {
        return ALL;
    }

    /// Returns the key with the full name `name`, such as `script.timeout`.
    public static Optional<ConfigKey<?>> find(String name) {
        return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
    }
}
