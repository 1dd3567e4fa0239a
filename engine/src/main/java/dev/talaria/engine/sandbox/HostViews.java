package dev.talaria.engine.sandbox;

import dev.talaria.api.HostView;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.ShortCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Says what sandboxes on this machine show and hide of it, and which of its interpreters they use.
public final class HostViews {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Settings settings;
    private final Pythons pythons;
    private final Path sockets;
    private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

    /// @param sockets the folder with the sockets for tool calls
    public HostViews(Settings settings, Pythons pythons, Path sockets) {
        this.settings = settings;
        this.pythons = pythons;
        this.sockets = sockets;
    }

    /// Returns what a sandbox shows and hides. It shows the spill files with its own output.
    HostView view(SandboxSpec spec) {
        Path workspace = Folders.workingFolder(spec.cwd().orElse(""));
        Predicate<Path> foreign = python -> Pythons.isIn(workspace, python);
        Folders folders = settings.folders();
        List<Path> hidden = new ArrayList<>(folders.control());
        hidden.addAll(List.of(folders.configFile(), folders.state(), folders.cache()));
        List<Path> interpreters = Stream.of(
                        pythons.standard(foreign).map(Path::toString),
                        pythons.ofScripts(settings.script(), foreign, _ -> true))
                .flatMap(Optional::stream)
                .filter(python -> python.startsWith("/"))
                .map(Path::of)
                .distinct()
                .toList();
        return new HostView(List.of(sockets, spills(spec.id())), interpreters, hidden);
    }

    private Path spills(String id) {
        Path all = settings.folders().spills();
        try {
            return Folders.create(Folders.create(all).resolve(id));
        } catch (IOException e) {
            return all.resolve(id); // the folder does not exist then, and each spill says why
        }
    }

    /// Returns the interpreter for the relay, in a sandbox that shows the host's interpreters.
    Optional<Path> ofRelay(Sandbox sandbox, Path workspace) {
        return pythons.standard(foreign(sandbox, workspace));
    }

    /// Returns the interpreter for scripts in a sandbox; empty means that of its relay.
    ///
    /// @param workspace the folder that isolated scripts can write to, so an interpreter in it is not trusted
    ///     outside
    public Optional<String> ofScripts(Sandbox sandbox, Path workspace) {
        return chosenByProject(sandbox).or(() -> ofUser(sandbox, workspace));
    }

    /// Returns the interpreter that may be started before there is a script. It is never one that a project
    /// chose.
    public Optional<String> ahead(Sandbox sandbox, Path workspace) {
        return chosenByProject(sandbox).isPresent() ? Optional.empty() : ofUser(sandbox, workspace);
    }

    /// Returns the interpreter that a project's file names. It runs only in a sandbox that isolates, where it
    /// can do no more than a script. Another machine is more than a sandbox.
    private Optional<String> chosenByProject(Sandbox sandbox) {
        boolean isolated = switch (sandbox.isolation()) {
            case NONE, MACHINE -> false;
            case NAMESPACE, CONTAINER, KERNEL -> !sandbox.sharesHost();
        };
        return isolated ? settings.script().pythonInside() : Optional.empty();
    }

    private Optional<String> ofUser(Sandbox sandbox, Path workspace) {
        return sandbox.showsHost()
                ? pythons.ofScripts(settings.script(), foreign(sandbox, workspace), python -> works(sandbox, python))
                : settings.script().python();
    }

    /// Asks an interpreter inside the sandbox whether it works, once for each file at its path.
    private boolean works(Sandbox sandbox, Path python) {
        return Pythons.fileAt(python)
                .map(file -> asked.computeIfAbsent(
                        file,
                        _ -> ShortCommand.run(
                                        sandbox, List.of(python.toString(), "-c", Pythons.ASK), new byte[0], PATIENCE)
                                .status()
                                .equals(Optional.of(0))))
                .orElse(false);
    }

    private static Predicate<Path> foreign(Sandbox sandbox, Path workspace) {
        return python -> !sandbox.sharesHost() && Pythons.isIn(workspace, python);
    }
}
