package dev.talaria.backends.bubblewrap;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Decides what a bubblewrap sandbox sees of this machine.
final class BubblewrapView {
    /// Parts of /run that programs need, none of them a socket.
    private static final List<String> OF_RUN =
            List.of("/run/current-system", "/run/opengl-driver", "/run/host", "/run/systemd/resolve");

    /// The project's settings for sessions: commands can read the file and not change it.
    private static final String PROJECT_FILE = "talaria.yaml";

    private static final Path RUN = Path.of("/run");
    private static final Path LINUXBREW = Path.of("/home/linuxbrew/.linuxbrew");

    private final SandboxSpec spec;
    private final Profile profile;
    private final Path workspace;
    private final Path named;
    private final BubblewrapScratch scratch;
    private final List<String> remarks;
    private final Map<String, String> environment = System.getenv();
    private final List<Path> homes;
    private final Set<Path> secrets = new LinkedHashSet<>();
    private final MountPlan plan = new MountPlan();

    /// @param remarks receives differences from what was asked for
    BubblewrapView(SandboxSpec spec, Profile profile, Path workspace, BubblewrapScratch scratch, List<String> remarks) {
        this.spec = spec;
        this.profile = profile;
        this.workspace = real(workspace);
        this.named = workspace;
        this.scratch = scratch;
        this.remarks = remarks;
        this.homes = Stream.of(environment.getOrDefault("HOME", ""), System.getProperty("user.home", ""))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> real(Path.of(folder)))
                .filter(folder -> folder.getNameCount() > 0 && Files.isDirectory(folder))
                .distinct()
                .toList();
        secrets.add(scratch.root()); // above all because of its filter
        spec.host().hidden().forEach(secret -> secrets.add(real(secret)));
        homes.forEach(home -> SecretPlaces.below(home).forEach(secret -> secrets.add(real(secret))));
        SecretPlaces.elsewhere(environment).forEach(secret -> secrets.add(real(secret)));
    }

    /// Returns words for bwrap.
    List<String> words(Options options) {
        refuseWorkspace();
        coverHost();
        spec.host().interpreters().forEach(this::showInterpreter);
        listed(options).forEach(path -> plan.show(path, false));
        plan.show(workspace, profile == Profile.WORKSPACE);
        if (!plan.shows(named)) { // its path leads through a covered link
            plan.show(workspace, named, profile == Profile.WORKSPACE);
        }
        Stream.of(workspace, named)
                .distinct()
                .map(folder -> folder.resolve(PROJECT_FILE))
                .filter(plan::exposes)
                .forEach(this::keepAsItIs);
        secrets.forEach(this::hide);
        for (Path folder : spec.host().shown()) {
            plan.show(real(folder), false);
            if (!plan.shows(folder)) { // its path leads through a covered link
                plan.show(real(folder), folder, false);
            }
        }
        return plan.words();
    }

    /// Makes a file read-only for commands, whatever kind of file it is. Nothing can be mounted on a
    /// link, so commands can replace a link; but Talaria does not read a link, so it counts as no
    /// file.
    private void keepAsItIs(Path file) {
        if (Files.isSymbolicLink(file)) {
            remarks.add(file + " is a link: it does not count, and commands here can replace it. Put a file there.");
        } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            plan.show(real(file), file, false);
        }
    }

    /// Refuses a working folder that would show private files.
    private void refuseWorkspace() {
        Stream.concat(
                        homes.stream(),
                        Stream.of("/run", "/tmp", "/home", "/root", "/usr", "/etc", "/proc")
                                .map(Path::of))
                .filter(folder -> folder.startsWith(workspace))
                .findFirst()
                .ifPresent(folder -> {
                    throw Options.refuse("The backend bubblewrap shows the working folder to commands, and "
                            + workspace + (folder.equals(workspace) ? " is" : " holds")
                            + (homes.contains(folder) ? " your home" : " a folder of the system")
                            + ". Choose a folder for the work (--cwd).");
                });
        secrets.stream().filter(workspace::startsWith).findFirst().ifPresent(secret -> {
            throw Options.refuse("The working folder " + workspace + " is in " + secret
                    + ", which no sandbox may see. Choose a folder for the work (--cwd).");
        });
    }

    /// Covers homes, files of other programs in /tmp, and the sockets below /run.
    private void coverHost() {
        plan.clear(RUN);
        Stream.concat(OF_RUN.stream().map(Path::of), Stream.of(real(Path.of("/etc/resolv.conf"))))
                .filter(path -> path.startsWith(RUN) && Files.exists(path) && !plan.shows(path))
                .forEach(path -> plan.show(path, false));
        Path variable = Path.of("/var/run");
        if (Files.isDirectory(variable, LinkOption.NOFOLLOW_LINKS)) {
            plan.clear(variable);
        }
        Stream.of("/home", "/root").map(Path::of).filter(Files::isDirectory).forEach(plan::clear);
        Map<Path, Path> own = new HashMap<>();
        spec.environment().flatMap(all -> variable(all, "HOME")).ifPresent(home -> own.put(home, scratch.home()));
        variable(environment, "TMPDIR").ifPresent(folder -> own.put(folder, scratch.temporary()));
        homes.forEach(home -> own.put(home, scratch.home()));
        own.put(real(Path.of("/tmp")), scratch.temporary());
        own.put(real(Path.of("/var/tmp")), scratch.kept());
        own.keySet().stream()
                .filter(Files::isDirectory)
                .sorted(Comparator.comparingInt(Path::getNameCount))
                .forEach(folder -> plan.replace(folder, own.getOrDefault(folder, scratch.temporary())));
        if (Files.isDirectory(LINUXBREW)) {
            plan.show(LINUXBREW, false);
        }
    }

    /// Returns the folder that a variable names, unless it belongs to the project.
    private Optional<Path> variable(Map<String, String> variables, String name) {
        return Optional.of(variables.getOrDefault(name, ""))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> real(Path.of(folder)))
                .filter(folder -> folder.getNameCount() > 0)
                .filter(folder -> !workspace.startsWith(folder) && !folder.startsWith(workspace));
    }

    private void showInterpreter(Path python) {
        for (Path folder : Interpreters.folders(python, plan::shows, path -> path.startsWith(workspace))) {
            boolean all = homes.stream().anyMatch(home -> home.startsWith(folder));
            boolean secret = secrets.stream().anyMatch(folder::startsWith);
            if (!all && !secret && !plan.shows(folder)) {
                plan.show(folder, false);
            }
        }
    }

    /// Returns the paths that the option `home` names.
    private List<Path> listed(Options options) {
        List<Path> listed = new ArrayList<>();
        for (String entry : options.list("home")) {
            if (entry.isBlank() || homes.isEmpty()) {
                continue;
            }
            Path home = homes.getFirst();
            try {
                String text = entry.strip();
                Path path = home.resolve(text.startsWith("~/") ? text.substring(2) : text)
                        .normalize();
                refuseListed(text, home, path, real(path));
                if (Files.exists(path)) {
                    listed.add(real(path));
                } else {
                    remarks.add("Option home names " + text + ", and that is not there.");
                }
            } catch (InvalidPathException e) {
                throw Options.refuse("Option home names " + entry + ": " + e.getReason() + ".");
            }
        }
        return listed;
    }

    private void refuseListed(String text, Path home, Path path, Path real) {
        if (!path.startsWith(home) || path.equals(home) || home.startsWith(real)) {
            throw Options.refuse("Option home names " + text + ": write files and folders below your home, such as"
                    + " .gitconfig or .cache/pip.");
        }
        secrets.stream()
                .filter(secret -> path.startsWith(secret) || real.startsWith(secret))
                .findFirst()
                .ifPresent(_ -> {
                    throw Options.refuse(
                            "Option home names " + text + ": keys, credentials and Talaria's own files are never"
                                    + " shown in a sandbox. Pass a single value by environment.pass-through instead.");
                });
    }

    /// Hides a secret. If it is one of Talaria's own and does not exist yet, but a command could
    /// create it, it is created first.
    private void hide(Path secret) {
        boolean ours =
                spec.host().hidden().stream().anyMatch(hidden -> real(hidden).equals(secret));
        if (ours && plan.exposes(secret) && !Files.exists(secret, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectories(secret, OwnFolder.MODE);
            } catch (IOException e) {
                throw Client.unavailable("Cannot make " + secret + " (" + Reason.of(e) + "), and a command in "
                        + workspace + " could. Choose another folder for the work (--cwd).");
            }
        }
        plan.hide(secret);
    }

    /// Resolves links as far as the path exists.
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path above = absolute; above != null; above = above.getParent()) {
            try {
                return above.toRealPath().resolve(above.relativize(absolute)).normalize();
            } catch (IOException e) {
                // The path does not exist this far: try one step up.
            }
        }
        return absolute;
    }
}
