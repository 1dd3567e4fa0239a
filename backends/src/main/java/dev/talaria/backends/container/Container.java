package dev.talaria.backends.container;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.Usage;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.LocalProcess;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// A container that was made for one sandbox and ends with it.
///
/// @param isolation what its runtime keeps out, proved
record Container(ContainerClient client, ContainerPlan plan, Isolation isolation, List<String> remarks)
        implements Sandbox {
    private static final Pattern NO_HOST = Pattern.compile("(?i)name resolution|could not resolve|couldn't resolve"
            + "|name or service not known|unknown host|bad address|network is unreachable|getaddrinfo|no such host"
            + "|EAI_AGAIN|nodename nor servname");
    private static final Pattern NO_PROCESS = Pattern.compile("(?i)fork: .*resource temporarily unavailable"
            + "|cannot fork|can't fork|can't start new thread|BlockingIOError: \\[Errno 11\\]"
            + "|unable to create (?:new )?(?:native )?thread|EAGAIN.*(?:spawn|fork)");

    @Override
    public String name() {
        return client.kind().program() + ":" + plan.name();
    }

    @Override
    public boolean reachesHost() {
        return plan.reaches();
    }

    @Override
    public boolean neverReached(int status, String said) {
        return ContainerKind.away(said);
    }

    @Override
    public boolean alive() {
        Client.Finished shown = client.run("inspect", "--format", "{{.State.Running}}", plan.name());
        return shown.ended(0)
                ? shown.printed().equals("true")
                : !ContainerKind.noContainer(shown.said()); // an engine that is away may come back with the container
    }

    @Override
    public Usage usage() {
        return ContainerUsage.of(client, plan.name(), plan.folders().kept());
    }

    @Override
    public Optional<String> fleeting(String path) {
        return plan.folders().stays(path, plan.user())
                ? Optional.empty()
                : Optional.of("The container " + plan.name() + " is made for this and removed afterwards."
                        + " With option persistent=true its home folder and " + ContainerFolders.WORKSPACE
                        + " stay, and so does what option volumes mounts; option container=NAME enters a container of"
                        + " yours.");
    }

    @Override
    public String folder(String wanted) {
        return plan.folders().inside(wanted, plan.user());
    }

    @Override
    public Optional<String> advice(String output) {
        String backend = client.kind().program();
        if (NO_PROCESS.matcher(output).find()) {
            return Optional.of("This sandbox may have " + plan.limits().pids() + " processes and threads at one time"
                    + " (backends." + backend + ".pids).");
        }
        return plan.network().equals(Optional.of("none"))
                        && NO_HOST.matcher(output).find()
                ? Optional.of("This sandbox has no network. Whoever runs Talaria can give it one: backends." + backend
                        + ".network: true, or TERMINAL_DOCKER_NETWORK=true.")
                : Optional.empty();
    }

    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        return client.kind()
                .usable(LocalProcess.start(Command.of(client.exec(
                        plan.name(),
                        command.argv(),
                        command.cwd().orElseGet(() -> plan.folders().cwd())))));
    }

    @Override
    public void close() {
        client.remove(plan.name());
    }
}
