package dev.talaria.backends;

import dev.talaria.api.Backend;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// This machine behind Linux namespaces: the file system is read-only but for the working folder and a
/// `/tmp` of its own, other processes cannot be seen (not even those of another command in the same
/// sandbox), and a root user has no capabilities. The network and the readable part of the file system are
/// the host's.
public final class BubblewrapBackend implements Backend {
    private static final String TEMPORARY = "talaria-bwrap-";

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        Options.of(this, spec).allow();
        String bwrap = Client.locate("bwrap", "Install the package bubblewrap, or choose another backend.");
        String workspace = workspace(spec);
        Path temporary = temporaryFolder();
        PrefixSandbox.Prefix prefix = (argv, cwd) -> wrap(bwrap, temporary, workspace, argv, cwd);
        Client.Trial trial = Client.attempt(prefix.of(List.of("true"), Optional.empty()));
        if (!trial.ended(0)) {
            remove(temporary);
            throw Client.unavailable("bubblewrap does not work here (" + trial.said()
                    + "). Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu an AppArmor"
                    + " profile for bwrap), or choose another backend.");
        }
        return new PrefixSandbox(
                name(),
                Isolation.NAMESPACE,
                prefix,
                true,
                spec.environment(),
                () -> true,
                _ -> false,
                () -> remove(temporary));
    }

    /// Returns the one folder that can be written to.
    private static String workspace(SandboxSpec spec) {
        Path folder = Path.of(spec.cwd().orElseGet(() -> System.getProperty("user.dir")))
                .toAbsolutePath()
                .normalize();
        if (!Files.isDirectory(folder)) {
            throw Client.unavailable("There is no folder " + folder + " to work in. Create it or choose another one.");
        }
        if (folder.getNameCount() == 0) {
            throw Options.refuse("The backend bubblewrap makes the working folder writable, and that cannot be '/'. "
                    + "Choose a folder for the work.");
        }
        return folder.toString();
    }

    /// Becomes `/tmp` for every command, so that one finds what another left there.
    private static Path temporaryFolder() {
        try {
            sweep();
            return Files.createTempDirectory(TEMPORARY + ProcessHandle.current().pid() + "-");
        } catch (IOException e) {
            throw Client.unavailable("No folder can be made for the sandbox's /tmp (" + e.getMessage()
                    + "). Make room in " + System.getProperty("java.io.tmpdir") + ".");
        }
    }

    /// Removes folders of ours whose JVM has died without doing so.
    private static void sweep() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, TEMPORARY + "[0-9]*-*")) {
            for (Path folder : folders) {
                String owner = folder.getFileName().toString().substring(TEMPORARY.length());
                boolean lives = ProcessHandle.of(Long.parseLong(owner, 0, owner.indexOf('-'), 10))
                        .isPresent();
                if (!lives && Files.isWritable(folder) && !Files.isSymbolicLink(folder)) {
                    remove(folder);
                }
            }
        } catch (NumberFormatException e) {
            // Somebody else's, by its name.
        }
    }

    /// Removes what commands left, folders they made unreadable included; symbolic links are not followed.
    private static void remove(Path folder) {
        if (Files.exists(folder)) {
            Client.attempt(List.of("chmod", "-R", "u+rwX", folder.toString()));
            Client.attempt(List.of("rm", "-rf", folder.toString()));
        }
    }

    private static List<String> wrap(
            String bwrap, Path temporary, String workspace, List<String> argv, Optional<String> cwd) {
        List<String> client = new ArrayList<>();
        // What a command leaves behind dies with bwrap, and bwrap with its parent: that has to be a process,
        // since the kernel takes the end of the JVM's thread that started it for the end of its parent.
        client.addAll(List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh", bwrap, "--die-with-parent"));
        client.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        client.addAll(List.of("--bind", temporary.toString(), "/tmp"));
        client.addAll(List.of("--bind-try", workspace, workspace, "--chdir", cwd.orElse(workspace)));
        client.addAll(List.of("--unshare-pid", "--new-session", "--cap-drop", "ALL", "--"));
        client.addAll(argv);
        return client;
    }
}
