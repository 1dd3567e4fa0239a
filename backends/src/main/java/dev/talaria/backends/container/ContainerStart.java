package dev.talaria.backends.container;

import dev.talaria.api.Command;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Starts a container as planned, and checks everything: that it is as planned, and that a command
/// runs in it. If anything fails, the container is removed.
final class ContainerStart {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ATTEMPTS = 5;

    private static final Pattern NO_QUOTA =
            Pattern.compile("(?i)storage-opt|storage option|pquota|quota.*not supported");
    private static final Pattern NO_LIMITS = Pattern.compile("(?i)cgroup|resource limits|limit.* not supported"
            + "|(?:memory|cpu|pids).* (?:not supported|not available|cannot be set)");
    private static final Pattern NO_RUNTIME =
            Pattern.compile("(?i)unknown runtime|unknown or invalid runtime|runtime .*not found|runtime name");

    private final ContainerClient client;
    private final ContainerPlan plan;
    private final Duration pullTime;
    private final boolean keepId;
    private final Consumer<String> progress;
    private final List<String> remarks = new ArrayList<>();
    private boolean limited = true;
    private boolean sized;
    private boolean pulled;

    /// @param keepId whether the engine needs an option so that our user is the same inside
    /// @param progress receives lines for a waiting person
    ContainerStart(
            ContainerClient client, ContainerPlan plan, Duration pullTime, boolean keepId, Consumer<String> progress) {
        this.client = client;
        this.plan = plan;
        this.pullTime = pullTime;
        this.keepId = keepId;
        this.progress = progress;
        this.sized = plan.limits().disk().isPresent();
    }

    /// Starts the container. Returns the differences from what was asked for, in sentences.
    List<String> run() {
        boolean ready = false;
        try {
            remarks.addAll(plan.folders().remarks());
            plan.dangers().forEach(danger -> remarks.add("UNSAFE, as asked for by option unsafe: " + danger + "."));
            create();
            compare();
            prove();
            ready = true;
            return List.copyOf(remarks);
        } finally {
            if (!ready) {
                client.run("rm", "-f", "-v", plan.name()); // it may not even exist
            }
        }
    }

    private void create() {
        for (int attempt = 1; ; attempt++) {
            Client.Finished started = client.run(plan.run(limited, sized, keepId), plan.clientEnvironment(), PATIENCE);
            if (started.ended(0)) {
                return;
            }
            String said = ContainerClient.said(started);
            if (attempt == ATTEMPTS || !mended(started, said)) {
                throw explain(started, said);
            }
        }
    }

    /// Tries to fix the cause of a failed start. Returns whether another attempt makes sense.
    private boolean mended(Client.Finished started, String said) {
        if (client.unreachable(started).isPresent()) {
            return false;
        }
        if (ContainerKind.noImage(said) && !pulled) {
            pulled = true;
            ContainerImage.pull(client, plan.image(), pullTime, progress);
            return true;
        }
        client.run("rm", "-f", "-v", plan.name());
        if (said.contains("already in use")) {
            return true;
        }
        if (sized && NO_QUOTA.matcher(said).find()) {
            sized = false;
            remarks.add("The limit of " + plan.limits().disk().orElseThrow() + " bytes of disk is not enforced outside "
                    + String.join(
                            " and ",
                            plan.folders().scratch().isEmpty()
                                    ? List.of("nothing")
                                    : plan.folders().scratch())
                    + ": this engine's storage has no quotas (" + said + ")."
                    + (plan.readOnly() ? "" : " Option read-only=true leaves nothing else to write to."));
            return true;
        }
        if (limited && NO_LIMITS.matcher(said).find()) {
            limited = false;
            remarks.add("Memory, processors and processes are NOT limited: this engine cannot (" + said + ").");
            return true;
        }
        return false;
    }

    private SandboxException explain(Client.Finished started, String said) {
        if (started.status().isEmpty()) { // it may still be created, so the engine is not simply away
            return Client.unavailable("The " + client.kind().title() + " engine did not start a container in "
                    + PATIENCE.toSeconds() + " s. Look at '" + client.kind().program() + " ps -a' and its load.");
        }
        if (NO_RUNTIME.matcher(said).find() && plan.runtime().isPresent()) {
            return Options.refuse("The " + client.kind().title() + " engine has no runtime "
                    + plan.runtime().get() + " (" + said + "). Register it there, or change option runtime.");
        }
        if (plan.network().isPresent() && said.matches("(?s).*network .*not found.*|.*unable to find network.*")) {
            return Options.refuse("There is no network " + plan.network().get() + " (" + said
                    + "). Create it, or change option network.");
        }
        if (said.contains("\"sleep\"") || said.contains("catatonit") || said.contains("container-init")) {
            return Client.unavailable("No container of the image " + plan.image() + " starts (" + said
                    + (said.contains("\"sleep\"")
                            ? "). The image needs a program 'sleep'; use one with a shell."
                            : "). Install the package catatonit."));
        }
        return client.unreachable(started)
                .orElseGet(() -> Client.unavailable("No container of the image " + plan.image() + " starts (" + said
                        + "). Try '" + client.kind().program() + " run --rm " + plan.image()
                        + " true' until it works, or change the options of the backend."));
    }

    private void compare() {
        Client.Finished shown = client.run("inspect", plan.name());
        ContainerCheck.Differences differences = ContainerCheck.of(plan, shown.printed(), limited);
        if (!differences.broken().isEmpty() && plan.dangers().isEmpty()) {
            throw Client.unavailable("The container is not as it was asked for, and was removed: "
                    + String.join("; ", differences.broken()) + ". Check the configuration of the "
                    + client.kind().title() + " engine.");
        }
        if (!differences.unlimited().isEmpty()) {
            remarks.add("The engine does not keep these limits: " + String.join("; ", differences.unlimited()) + ".");
        }
    }

    /// Runs a command inside, which creates the working folder if necessary and prints folders that
    /// it cannot write to.
    private void prove() {
        String folder = plan.folders().cwd();
        String script = "mkdir -p -- \"$1\" 2>/dev/null; cd -- \"$1\" || exit 3; [ -w . ] || pwd;"
                + " [ -w \"$HOME\" ] || echo \"$HOME\"; exit 0";
        Client.Finished proof = Client.run(
                Command.of(client.exec(plan.name(), List.of("sh", "-c", script, "sh", folder))),
                Duration.ofSeconds(20),
                4000);
        if (proof.ended(3)) {
            throw Options.refuse("The image " + plan.image() + " has no folder " + folder
                    + " to work in, and user " + plan.user() + " cannot make it ("
                    + ContainerClient.said(proof) + "). Leave cwd out, or mount the folder there.");
        }
        // An image without a shell is usable, too: the engine got as far as searching for it.
        if (!proof.ended(0) && !proof.ended(126) && !proof.ended(127)) {
            throw Client.unavailable("No command runs in a container of the image " + plan.image() + " ("
                    + ContainerClient.said(proof) + "). It may have ended at once: try '"
                    + client.kind().program() + " run --rm --entrypoint sleep " + plan.image() + " 1'.");
        }
        if (!proof.printed().isEmpty()) {
            remarks.add("User " + plan.user() + " cannot write to "
                    + proof.printed().replace("\n", " and ") + ".");
        }
    }
}
