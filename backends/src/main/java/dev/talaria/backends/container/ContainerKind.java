package dev.talaria.backends.container;

import dev.talaria.api.RunningProcess;
import java.util.regex.Pattern;

/// The clients of container engines, with all their differences.
enum ContainerKind {
    DOCKER(
            "docker",
            "Docker",
            "Install Docker's command line, name one with option binary, or choose the backend podman."),
    PODMAN(
            "podman",
            "Podman",
            "Install the package podman, name one with option binary, or choose the backend docker.");

    private static final Pattern NO_IMAGE =
            Pattern.compile("No such image|Unable to find image|image not known|unable to find a name and tag match");
    private static final Pattern NO_FOLDER = Pattern.compile(
            "(?i)chdir to cwd|initial working directory|workdir .* does not exist|chdir .*No such file");
    private static final Pattern NO_CONTAINER =
            Pattern.compile("(?i)no such container|no container with name or id|no such object");

    private final String program;
    private final String title;
    private final String remedy;

    ContainerKind(String program, String title, String remedy) {
        this.program = program;
        this.title = title;
        this.remedy = remedy;
    }

    String program() {
        return program;
    }

    String title() {
        return title;
    }

    /// Returns what to do if the client is missing.
    String remedy() {
        return remedy;
    }

    /// Returns the options of a tmpfs that a user can write to. Podman gives it to root alone, and by
    /// default fills it from the image.
    String tmpfsOf(ContainerUser user, String mode) {
        return switch (this) {
            case DOCKER -> "mode=" + mode + ",uid=" + user.uid() + ",gid=" + user.gid();
            case PODMAN -> "mode=" + (user.root() ? mode : "1777") + ",notmpcopyup";
        };
    }

    /// Returns a started client in a form that can be read from and written to at the same time.
    RunningProcess usable(RunningProcess client) {
        return switch (this) {
            case DOCKER -> client;
            case PODMAN -> DecoupledProcess.of(client);
        };
    }

    /// Returns whether the client's message says that it could not reach its engine.
    static boolean away(String said) {
        return said.contains("Cannot connect to the Docker daemon")
                || said.contains("Cannot connect to Podman")
                || said.contains("error during connect")
                || said.contains("failed to connect to the docker API")
                || said.contains("is restarting, wait until");
    }

    static boolean forbidden(String said) {
        return said.contains("permission denied") && said.contains("connect");
    }

    static boolean noImage(String said) {
        return NO_IMAGE.matcher(said).find();
    }

    /// Returns whether a runtime's message says that the folder of a command does not exist.
    static boolean noFolder(String said) {
        return NO_FOLDER.matcher(said).find();
    }

    static boolean noContainer(String said) {
        return NO_CONTAINER.matcher(said).find();
    }
}
