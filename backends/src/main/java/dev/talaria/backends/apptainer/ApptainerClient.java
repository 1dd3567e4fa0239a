package dev.talaria.backends.apptainer;

import dev.talaria.api.Command;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.ShellWords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The program `apptainer`, or `singularity`, with the part of our environment that it may see.
///
/// @param program its path
/// @param environment all its variables
record ApptainerClient(String program, Map<String, String> environment) {
    /// Variables that the program itself needs. Others such as `APPTAINER_BIND` would change the
    /// sandbox.
    private static final Pattern ITS_OWN = Pattern.compile("PATH|HOME|USER|LOGNAME|TMPDIR|XDG_RUNTIME_DIR"
            + "|DBUS_SESSION_BUS_ADDRESS|(?i:https?_proxy|no_proxy)"
            + "|(APPTAINER|SINGULARITY)_(CACHEDIR|TMPDIR|CONFIGDIR|DOCKER_USERNAME|DOCKER_PASSWORD)");

    private static final int KEPT = 100_000;

    ApptainerClient {
        environment = Map.copyOf(environment);
    }

    /// Finds the program.
    ///
    /// @param options `binary`: its path; if absent, the PATH is searched. `forward-env`: names of variables
    ///     whose values commands in the sandbox get
    static ApptainerClient locate(Options options, Map<String, String> host) {
        List<String> variables = options.list("forward-env");
        String remedy = "Install Apptainer (or Singularity), set option binary of the backend apptainer to its path,"
                + " or choose another backend.";
        String program = options.find("binary")
                .map(path -> Client.locate(path, remedy))
                .or(() -> Client.find("apptainer"))
                .or(() -> Client.find("singularity"))
                .orElseThrow(() ->
                        Client.unavailable("There is neither a program 'apptainer' nor 'singularity' here. " + remedy));
        Map<String, String> environment = new TreeMap<>();
        host.forEach((name, value) -> {
            if (ITS_OWN.matcher(name).matches()) {
                environment.put(name, value);
            }
            if (variables.contains(name)) {
                environment.put("APPTAINERENV_" + name, value);
                environment.put("SINGULARITYENV_" + name, value);
            }
        });
        // Otherwise Apptainer's shell would evaluate those values.
        environment.put("APPTAINER_NO_EVAL", "1");
        environment.put("SINGULARITY_NO_EVAL", "1");
        return new ApptainerClient(program, environment);
    }

    /// Returns the same program with one more variable.
    ApptainerClient with(String name, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(name, value);
        return new ApptainerClient(program, more);
    }

    List<String> argv(List<String> arguments) {
        return ShellWords.joined(List.of(program, "-q"), arguments);
    }

    Client.Finished run(Duration patience, List<String> arguments) {
        return Client.run(command(argv(arguments)), patience, KEPT);
    }

    /// Returns a command with the program's environment.
    Command command(List<String> argv) {
        return new Command(argv, Optional.empty(), Optional.of(environment));
    }
}
