package dev.talaria.backends.container;

import dev.talaria.api.Command;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.ShellWords;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The client of a container engine on this machine. Contexts and `DOCKER_HOST` count as for the
/// client itself.
///
/// @param program its absolute path
record ContainerClient(ContainerKind kind, String program) {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST = 1 << 20;
    private static final Pattern USAGE = Pattern.compile("(?s)\\s*(?:Run|See) '.*$");

    static ContainerClient locate(ContainerKind kind, Options options) {
        return new ContainerClient(kind, Client.locate(options.find("binary").orElse(kind.program()), kind.remedy()));
    }

    Client.Finished run(String... words) {
        return Client.run(Command.of(argv(List.of(words))), PATIENCE, MOST);
    }

    Client.Finished run(List<String> words, Map<String, String> environment, Duration patience) {
        return Client.run(new Command(argv(words), Optional.empty(), Optional.of(environment)), patience, MOST);
    }

    List<String> argv(List<String> words) {
        return ShellWords.joined(List.of(program), words);
    }

    /// Returns the words that run a command in a container, in its own working folder.
    List<String> exec(String container, List<String> argv) {
        return ShellWords.joined(List.of(program, "exec", "-i", container), argv);
    }

    /// Returns the words that run a command in a folder of a container.
    List<String> exec(String container, List<String> argv, String cwd) {
        return ShellWords.joined(List.of(program, "exec", "-i", "-w", cwd, container), argv);
    }

    /// Returns the client's message, without its usage text.
    static String said(Client.Finished finished) {
        return finished.status().isEmpty()
                ? "no answer in time"
                : USAGE.matcher(finished.said()).replaceFirst("").strip();
    }

    /// Removes a container and everything that it wrote. It is no error if there is none.
    ///
    /// @throws SandboxException if it may still exist
    void remove(String container) {
        Client.Finished removed = run("rm", "-f", "-v", container);
        if (!removed.ended(0) && !ContainerKind.noContainer(removed.said())) {
            throw unreachable(removed)
                    .orElseGet(() -> Client.unavailable("The container " + container + " could not be removed ("
                            + said(removed) + "). Try '" + kind.program() + " rm -f " + container + "'."));
        }
    }

    /// Returns the problem if the engine itself is the cause.
    Optional<SandboxException> unreachable(Client.Finished finished) {
        String said = said(finished);
        if (ContainerKind.forbidden(said)) {
            return Optional.of(Client.unavailable("You are not allowed to use the " + kind.title() + " engine (" + said
                    + "). Ask for it (the group docker, which is as good as root), or choose the backend podman, which needs"
                    + " no rights."));
        }
        if (ContainerKind.away(said) || finished.status().isEmpty()) {
            return Optional.of(Client.away("The " + kind.title() + " engine cannot be reached (" + said
                    + "). Start it, check '" + kind.program() + " info', or choose another backend."));
        }
        return Optional.empty();
    }
}
