package dev.talaria.engine.terminal;

import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.start.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How a command line becomes a program that a sandbox can start.
public final class Shell {
    private final Settings settings;
    private final Map<String, String> environment;

    public Shell(Settings settings, Map<String, String> hostEnvironment) {
        this.settings = settings;
        this.environment = settings.environment().of(hostEnvironment);
    }

    /// Returns the program for a command line.
    ///
    /// @param workdir the folder for this command alone; absent means the session's
    public JobSpec.Program program(String command, Optional<String> workdir, Workplace workplace) {
        boolean here = workplace.sandbox().sharesHost();
        Optional<String> cwd = workdir.isPresent()
                ? workdir.map(folder -> here ? Folders.expandHome(folder) : folder)
                : settings.cwd()
                        .or(() ->
                                here ? Optional.of(Path.of("").toAbsolutePath().toString()) : Optional.empty());
        return new JobSpec.Program(
                List.of(
                        "/bin/sh",
                        "-c",
                        "exec 2>&1; if command -v bash >/dev/null 2>&1; then exec bash -c \"$1\"; else"
                                + " exec sh -c \"$1\"; fi",
                        "sh",
                        command),
                false,
                here ? environment : Map.of(),
                !here,
                cwd,
                JobSpec.Bounds.none());
    }
}
