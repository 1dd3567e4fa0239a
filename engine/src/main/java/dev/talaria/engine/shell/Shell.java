package dev.talaria.engine.shell;

import dev.talaria.engine.config.ChildEnvironment;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Line.Start;
import dev.talaria.engine.sandbox.SandboxLease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Turns a command line into a program that a sandbox can start.
///
/// A relay runs the line in a bash of its own with the state of the session: the login shell's
/// variables, functions, aliases and options, and the variables and folder that earlier lines left.
/// Without a relay, a plain shell runs it.
public final class Shell {
    private final Map<String, String> here;
    private final Map<String, String> elsewhere;

    public Shell(Settings settings, Map<String, String> hostEnvironment) {
        this.here = settings.environment().ofCommands(hostEnvironment);
        this.elsewhere = settings.environment().ofCommandsElsewhere(hostEnvironment);
    }

    /// Returns the program that runs a command line.
    ///
    /// @param workdir the folder for this command only; if absent, the session's
    /// @param start the state that its shell begins with
    public JobSpec.Program program(String command, Optional<String> workdir, SandboxLease lease, Start start) {
        boolean shared = lease.sandbox().sharesHost();
        if (start != Start.SNAPSHOT) {
            lease.shellUsed();
        }
        Optional<String> folder = lease.cwd()
                .or(() -> shared ? Optional.of(Path.of("").toAbsolutePath().toString()) : Optional.empty());
        Optional<String> cwd = workdir.map(given -> shared ? Folders.expandHome(given) : given)
                .map(given -> isAbsolute(given)
                        ? given
                        : folder.map(from -> from + "/" + given).orElse(given))
                .or(() -> folder);
        return new JobSpec.Program(
                List.of(
                        "/bin/sh",
                        "-c",
                        "exec 2>&1; if command -v bash >/dev/null 2>&1; then exec bash -c \"$1\"; else"
                                + " exec sh -c \"$1\"; fi",
                        "sh",
                        command),
                false,
                new JobSpec.Surroundings(shared ? here : elsewhere, !shared, cwd, JobSpec.Bounds.none()),
                Optional.of(new JobSpec.Line(
                        command, folder, workdir, start, ChildEnvironment.secrets(), Map.of(), Optional.empty())));
    }

    private static boolean isAbsolute(String folder) {
        return folder.startsWith("/") || folder.startsWith("~");
    }
}
