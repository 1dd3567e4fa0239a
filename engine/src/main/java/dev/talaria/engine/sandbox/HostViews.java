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

/// What sandboxes on this machine need of it and must not see, and which of its interpreters they use.
public final class HostViews {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Settings settings;
    private final Pythons pythons;
    private final Path sockets;
    private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

    /// @param sockets the folder of the host's sockets
    public HostViews(Settings settings, Pythons pythons, Path sockets) {
        this.settings = settings;
        this.pythons = pythons;
        this.sockets = sockets;
    }

    /// Returns what a sandbox shows and hides.
    ///
    /// @param spec the sandbox's: what was printed in it and is too long for a result can be read inside
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
            return all.resolve(id); // is not there, then, and each spill will say why
        }
    }

    /// Returns the interpreter for the relay of a sandbox that shows the host's.
    Optional<Path> ofRelay(Sandbox sandbox, Path workspace) {
        return pythons.standard(foreign(sandbox, workspace));
    }

    /// Returns the interpreter for scripts in a sandbox; absent means the one of its relay.
    ///
    /// @param workspace the folder in which isolated scripts can put whatever they like, here as elsewhere
    public Optional<String> ofScripts(Sandbox sandbox, Path workspace) {
        return chosenByProject(sandbox).or(() -> ofUser(sandbox, workspace));
    }

    /// Returns the interpreter that may be started before anybody has asked for a script: none that a project chose.
    public Optional<String> ahead(Sandbox sandbox, Path workspace) {
        return chosenByProject(sandbox).isPresent() ? Optional.empty() : ofUser(sandbox, workspace);
    }

    /// Whoever writes a project's file chooses a program: it runs only where it can do no more than a script
    /// can. Another machine is more than a sandbox.
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

    /// Asks an interpreter where it can do no harm, once for each file that stands there.
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
