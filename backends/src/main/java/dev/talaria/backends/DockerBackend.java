package dev.talaria.backends;

import dev.talaria.api.Backend;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A running container, entered by `docker exec`; contexts and `DOCKER_HOST` count as for the client itself.
///
/// Option `container`: name or id of the container.
public final class DockerBackend implements Backend {
    private static final String NO_WAY_OUT = "closed";
    private static final String WAYS_OUT = "{{if .HostConfig.Privileged}}privileged {{end}}"
            + "{{if eq .HostConfig.PidMode \"host\"}}pid {{end}}"
            + "{{range .HostConfig.Devices}}device {{end}}"
            + "{{range .Mounts}}{{if eq (print .Type) \"bind\"}}bind {{end}}{{end}}" + NO_WAY_OUT;

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        Options options = Options.of(this, spec).allow("container");
        String container = options.requireName("container", "the name of a running container");
        String docker = Client.locate("docker", "Install Docker's command line, or choose another backend.");
        PrefixSandbox.Prefix prefix = (argv, cwd) -> wrap(docker, container, argv, cwd.or(spec::cwd));
        Client.Trial trial = Client.attempt(prefix.of(List.of("true"), Optional.empty()));
        // An image without the program 'true' is a place, too: the engine got as far as looking for it.
        if (!trial.ended(0) && !trial.ended(126) && !trial.ended(127)) {
            throw explain(container, trial);
        }
        return new PrefixSandbox(
                "docker:" + container,
                isolation(docker, container, prefix),
                prefix,
                () -> reachesHost(docker, container),
                DockerBackend::away);
    }

    private static Isolation isolation(String docker, String container, PrefixSandbox.Prefix prefix) {
        String runtime = Client.output(List.of(docker, "inspect", "--format", "{{.HostConfig.Runtime}}", container))
                .orElse("");
        return GvisorProbe.isolation(container, runtime, argv -> Client.output(prefix.of(argv, Optional.of("/"))));
    }

    /// Returns whether the container was given a way out: a folder or socket of the host, its processes,
    /// its devices. One that cannot be looked at may have been.
    private static boolean reachesHost(String docker, String container) {
        return !Client.output(List.of(docker, "inspect", "--format", WAYS_OUT, container))
                .equals(Optional.of(NO_WAY_OUT));
    }

    private static List<String> wrap(String docker, String container, List<String> argv, Optional<String> cwd) {
        List<String> client = new ArrayList<>(List.of(docker, "exec", "-i"));
        cwd.ifPresent(folder -> client.addAll(List.of("-w", folder)));
        client.add(container);
        client.addAll(argv);
        return client;
    }

    /// The client says so before it has asked for anything.
    private static boolean away(Client.Trial trial) {
        String said = trial.said();
        return said.contains("Cannot connect to the Docker daemon")
                || said.contains("error during connect")
                || said.contains("is restarting, wait until");
    }

    private static SandboxException explain(String container, Client.Trial trial) {
        String said = trial.said();
        if (said.contains("is restarting, wait until")) {
            return Client.away("The container " + container + " restarts again and again (" + said
                    + "). Look at 'docker logs " + container + "'.");
        }
        if (said.contains("No such container")) {
            return Client.unavailable("There is no container " + container
                    + ". Look for its name with 'docker ps -a', or make it with 'docker run -d --name " + container
                    + " IMAGE sleep infinity'.");
        }
        if (said.contains("is not running") || said.contains("is paused")) {
            return Client.unavailable("The container " + container + " does not run (" + said
                    + "). Start it with 'docker start " + container + "'.");
        }
        if (said.contains("Cannot connect")
                || said.contains("permission denied")
                || trial.status().isEmpty()) {
            String message = "The Docker engine cannot be reached (" + said
                    + "). Start it, check 'docker context ls' and your permissions, or choose another backend.";
            return away(trial) ? Client.away(message) : Client.unavailable(message);
        }
        return Client.unavailable("No command runs in the container " + container + ": " + said + ". Try 'docker exec "
                + container + " true' until it works.");
    }
}
