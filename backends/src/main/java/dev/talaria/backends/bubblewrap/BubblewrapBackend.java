package dev.talaria.backends.bubblewrap;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ReachableArea;
import dev.talaria.api.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.Usage;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Runs commands on this machine behind Linux namespaces, without root and without an image. They see
/// its programs and libraries, read-only, and other files only as the profile allows.
public final class BubblewrapBackend implements Backend {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_SEEN = 4 << 20; // a machine with many containers has many mounts

    /// What a sandbox may do.
    enum Profile {
        /// Writes the working folder, and has the host's network.
        WORKSPACE,
        /// Writes nothing but its own /tmp and home, and has no network and no Unix sockets: commands
        /// could connect to the host's sockets by their paths, and the programs that listen there may
        /// do anything.
        CLOSED;

        static Profile of(Options options) {
            String wanted = options.find("profile").orElse("workspace");
            return switch (wanted.toLowerCase(Locale.ROOT)) {
                case "workspace" -> WORKSPACE;
                case "closed" -> CLOSED;
                default ->
                    throw Options.refuse("The backend bubblewrap has no profile '" + wanted
                            + "'. Choose workspace (the working folder is writable, the network shared) or closed"
                            + " (nothing is writable, no network).");
            };
        }
    }

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public boolean worksInHostFolders() {
        return true;
    }

    @Override
    public boolean isolates() {
        return true;
    }

    @Override
    public boolean heedsHostView() {
        return true;
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        Options options = Options.of(this, spec).allow("profile", "home", "memory", "pids", "file-size");
        Profile profile = Profile.of(options);
        SandboxBounds bounds = SandboxBounds.of(options);
        String bwrap = Client.locate("bwrap", "Install the package bubblewrap, or choose another backend.");
        Path workspace = workspace(spec);
        BubblewrapScratch scratch = BubblewrapScratch.create(spec, profile);
        Optional<ControlGroup> group = Optional.empty();
        try {
            List<String> remarks = new ArrayList<>();
            List<String> view = new BubblewrapView(spec, profile, workspace, scratch, remarks).words(options);
            List<String> words = words(bwrap, profile, view, scratch);
            group = ControlGroup.make(spec.outsideName(), bounds);
            BubblewrapSandbox sandbox = sandbox(spec, profile, words, workspace, scratch, group, bounds, remarks);
            Client.Finished trial = attempt(sandbox);
            if (!trial.ended(0) && group.isPresent()) { // we may be allowed to create it, and yet not to join it
                group.get().remove();
                group = Optional.empty();
                sandbox = sandbox(spec, profile, words, workspace, scratch, group, bounds, remarks);
                trial = attempt(sandbox);
            }
            if (!trial.ended(0)) {
                throw Client.unavailable("bubblewrap does not work here (" + trial.said()
                        + "). Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu an AppArmor"
                        + " profile for bwrap), or choose another backend.");
            }
            Set<Path> names = Set.copyOf(List.of(workspace, workspace.toRealPath()));
            return sandbox.reaching(
                    IsolationProbe.of(trial.printed(), scratch.root()).reach(profile, names));
        } catch (IOException e) {
            group.ifPresent(ControlGroup::remove);
            scratch.remove();
            throw Client.unavailable("The working folder " + workspace + " is gone: " + e.getMessage());
        } catch (RuntimeException e) {
            group.ifPresent(ControlGroup::remove);
            scratch.remove();
            throw e;
        }
    }

    private static Client.Finished attempt(BubblewrapSandbox sandbox) {
        List<String> probe = sandbox.wrapped(Command.of(IsolationProbe.PROBE));
        return Client.run(Command.of(probe), PATIENCE, MOST_SEEN);
    }

    private static BubblewrapSandbox sandbox(
            SandboxSpec spec,
            Profile profile,
            List<String> words,
            Path workspace,
            BubblewrapScratch scratch,
            Optional<ControlGroup> group,
            SandboxBounds bounds,
            List<String> remarks) {
        List<String> all = new ArrayList<>(remarks);
        boolean root = "root".equals(System.getProperty("user.name"));
        if (group.isPresent()) {
            try {
                group.get().write(scratch.group());
            } catch (IOException e) {
                throw Client.unavailable(
                        "Cannot write to " + scratch.root() + ": " + Reason.of(e) + ". Make room there.");
            }
        } else {
            bounds.memory()
                    .ifPresent(_ -> all.add("Memory is bounded for each process, not for all together: the"
                            + " kernel's control groups are not ours to use here."));
            bounds.processes().ifPresent(most -> {
                if (root) {
                    all.add("The bound of " + most + " processes is not enforced: the kernel counts none of root's.");
                }
            });
        }
        if (!scratch.filtered()) {
            all.add("System calls are not filtered: their numbers on " + System.getProperty("os.arch")
                    + " are not known to Talaria.");
        }
        if (root) {
            all.add("Talaria runs as root, and so does what it isolates, if without capabilities: files of root's can"
                    + " be read there. Run it as an ordinary user.");
        }
        boolean sockets = profile != Profile.CLOSED || !scratch.filtered();
        return new BubblewrapSandbox(
                words,
                workspace.toString(),
                spec.environment(),
                scratch,
                group,
                bounds,
                sockets,
                List.copyOf(all),
                Set.of(ReachableArea.values()));
    }

    private static List<String> words(String bwrap, Profile profile, List<String> view, BubblewrapScratch scratch) {
        List<String> words = new ArrayList<>(List.of(bwrap));
        words.addAll(List.of("--new-session", "--unshare-pid", "--unshare-ipc", "--unshare-uts"));
        words.add("--unshare-cgroup-try");
        if (profile == Profile.CLOSED) {
            words.add("--unshare-net");
        }
        words.addAll(List.of("--cap-drop", "ALL"));
        if (scratch.filtered()) {
            words.addAll(List.of("--seccomp", "9"));
        }
        words.addAll(view);
        return words;
    }

    /// Returns the working folder, where commands start.
    private static Path workspace(SandboxSpec spec) {
        Path folder = Path.of(spec.cwd().orElseGet(() -> System.getProperty("user.dir")))
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(folder)) {
            throw Options.refuse("There is no folder " + folder + " to work in. Create it or choose another one.");
        }
        return folder;
    }

    @Override
    public boolean leavesThings() {
        return true;
    }

    @Override
    public void remove(SandboxSpec spec) {
        BubblewrapScratch scratch = BubblewrapScratch.of(spec);
        ControlGroup.read(scratch.group(), spec.outsideName()).ifPresent(ControlGroup::remove);
        scratch.remove();
    }

    @Override
    public Usage usage(SandboxSpec spec) {
        BubblewrapScratch scratch = BubblewrapScratch.of(spec);
        return new Usage(
                ControlGroup.read(scratch.group(), spec.outsideName())
                        .map(ControlGroup::memory)
                        .orElseGet(OptionalLong::empty),
                scratch.bytes());
    }
}
