package dev.talaria.backends.container;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.Usage;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.PrefixSandbox;
import dev.talaria.backends.process.ShellWords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// Runs commands in a container of an engine, by the engine's command line: in one that is made for
/// the sandbox and ends with it, or, with option `container`, in an existing one that stays.
abstract sealed class ContainerBackend implements Backend permits DockerBackend, PodmanBackend {
    private static final String NO_WAY_OUT = "closed";
    private static final String WAYS_OUT = "{{if .HostConfig.Privileged}}privileged {{end}}"
            + "{{if eq .HostConfig.PidMode \"host\"}}pid {{end}}"
            + "{{range .HostConfig.Devices}}device {{end}}"
            + "{{range .Mounts}}{{if eq (print .Type) \"bind\"}}bind {{end}}{{end}}" + NO_WAY_OUT;

    private final ContainerKind kind;

    ContainerBackend(ContainerKind kind) {
        this.kind = kind;
    }

    @Override
    public final String name() {
        return kind.program();
    }

    @Override
    public final boolean isolates() {
        return true;
    }

    @Override
    public final Optional<String> keepOption() {
        return Optional.of("persistent");
    }

    /// A container that was there already keeps what it has, whatever we are told.
    @Override
    public final boolean sharesWhatItKeeps(Map<String, String> options) {
        return !options.containsKey("container");
    }

    @Override
    public final Sandbox open(SandboxSpec spec) {
        return open(spec, _ -> {});
    }

    @Override
    public final Sandbox open(SandboxSpec spec, Consumer<String> progress) {
        Options options = Options.of(this, spec).allow(ContainerPlan.OPTIONS);
        if (options.find("container").isPresent()) {
            return enter(options, spec);
        }
        ContainerUser wanted = ContainerUser.of(options);
        ContainerPlan checked = ContainerPlan.of(kind, options, spec, wanted); // before anybody is asked anything
        ContainerClient client = ContainerClient.locate(kind, options);
        boolean rootless = wanted.host() && !wanted.root() && rootless(client);
        // In Docker without root, the user who runs it is root inside. Podman gets an option that
        // keeps the user as it is.
        ContainerPlan plan = rootless && kind == ContainerKind.DOCKER
                ? ContainerPlan.of(kind, options, spec, new ContainerUser(0, 0, true))
                : checked;
        List<String> remarks = new ContainerStart(
                        client, plan, pullTime(options), rootless && kind == ContainerKind.PODMAN, progress)
                .run();
        try {
            // With option unsafe it keeps out nothing.
            Isolation isolation = plan.dangers().isEmpty() ? isolation(client, plan.name()) : Isolation.NONE;
            return new Container(client, plan, isolation, remarks);
        } catch (SandboxException e) { // a container that differs from the plan is not kept
            client.remove(plan.name());
            throw e;
        }
    }

    /// Returns what a container keeps out. No other code decides this.
    private Isolation isolation(ContainerClient client, String container) {
        String where = kind == ContainerKind.DOCKER ? "{{.HostConfig.Runtime}}" : "{{.OCIRuntime}}";
        String runtime = client.run("inspect", "--format", where, container).printed();
        return GvisorProbe.isolation(container, runtime, argv -> Client.output(client.exec(container, argv, "/")));
    }

    private boolean rootless(ContainerClient client) {
        return kind == ContainerKind.PODMAN
                || client.run("info", "--format", "{{.SecurityOptions}}")
                        .printed()
                        .contains("rootless");
    }

    private static Duration pullTime(Options options) {
        return Duration.ofSeconds(options.count("pull-timeout", "seconds").orElse(1800));
    }

    @Override
    public final boolean leavesThings() {
        return true;
    }

    @Override
    public final void remove(SandboxSpec spec) {
        Options options = Options.of(this, spec);
        if (options.find("container").isEmpty()) {
            ContainerClient.locate(kind, options).remove(spec.outsideName());
        }
    }

    @Override
    public final Usage usage(SandboxSpec spec) {
        Options options = Options.of(this, spec);
        Optional<String> entered = options.find("container");
        return ContainerUsage.of(
                ContainerClient.locate(kind, options),
                entered.orElse(spec.outsideName()),
                entered.isPresent() ? List.of() : ContainerFolders.keptOf(kind, options, spec));
    }

    private Sandbox enter(Options options, SandboxSpec spec) {
        String container = options.requireName("container", "the name of a running container");
        ContainerClient client = ContainerClient.locate(kind, options);
        Function<Command, List<String>> prefix = command -> command.cwd()
                .or(spec::cwd)
                .map(cwd -> client.exec(container, command.argv(), cwd))
                .orElseGet(() -> client.exec(container, command.argv()));
        Client.Finished trial = Client.attempt(prefix.apply(Command.of("true")));
        spec.cwd().ifPresent(cwd -> requireFolder(client, container, cwd, trial));
        // An image without the program 'true' is usable, too: the engine got as far as searching for
        // it.
        if (!trial.ended(0) && !trial.ended(126) && !trial.ended(127)) {
            throw explain(client, container, trial);
        }
        return new PrefixSandbox(
                kind.program() + ":" + container,
                isolation(client, container),
                prefix,
                () -> reachesHost(client, container),
                ContainerKind::away,
                kind::usable);
    }

    /// Refuses a folder that does not exist: the runtime exits with the same status as for a missing
    /// program.
    private static void requireFolder(ContainerClient client, String container, String cwd, Client.Finished trial) {
        boolean started = trial.ended(0) || !(trial.ended(126) || trial.ended(127));
        if (started) {
            return;
        }
        Client.Finished elsewhere = Client.attempt(client.exec(container, List.of("true"), "/"));
        if (elsewhere.ended(0) || ContainerKind.noFolder(trial.said())) {
            throw Options.refuse("There is no folder " + cwd + " to work in in the container " + container
                    + ". Make it with '" + client.kind().program() + " exec " + container + " mkdir -p "
                    + ShellWords.quote(cwd) + "', or choose another one (--cwd).");
        }
    }

    /// Returns whether the container has a way out: a folder or socket of the host, its processes,
    /// its devices. If it cannot be inspected, it may have one.
    private static boolean reachesHost(ContainerClient client, String container) {
        return !client.run("inspect", "--format", WAYS_OUT, container).printed().equals(NO_WAY_OUT);
    }

    private SandboxException explain(ContainerClient client, String container, Client.Finished trial) {
        String said = trial.said();
        String program = kind.program();
        if (said.contains("is restarting, wait until")) {
            return Client.away("The container " + container + " restarts again and again (" + said + "). Look at '"
                    + program + " logs " + container + "'.");
        }
        if (ContainerKind.noContainer(said)) {
            return Client.unavailable("There is no container " + container + ". Look for its name with '" + program
                    + " ps -a', or leave option container out: one is made then.");
        }
        if (said.contains("is not running") || said.contains("is paused") || said.contains("state improper")) {
            return Client.unavailable("The container " + container + " does not run (" + said + "). Start it with '"
                    + program + " start " + container + "'.");
        }
        return client.unreachable(trial)
                .orElseGet(() -> Client.unavailable("No command runs in the container " + container + ": " + said
                        + ". Try '" + program + " exec " + container + " true' until it works."));
    }
}
