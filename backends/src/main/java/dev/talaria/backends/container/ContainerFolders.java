package dev.talaria.backends.container;

import dev.talaria.api.HomeFolder;
import dev.talaria.api.OwnFolder;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.FolderMap;
import dev.talaria.backends.options.FolderNames;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The folders of this machine that a container sees, and the folder that work begins in.
///
/// @param mounts the mounts
/// @param scratch folders inside that are in memory and end with the container
/// @param kept folders of ours that keep its home and its work beyond its end, if there are any
/// @param cwd the folder that work begins in
/// @param reaches whether a folder is mounted that people depend on
/// @param dangers what a mount gives away; only with option `unsafe`
/// @param remarks differences from what was asked for
record ContainerFolders(
        List<ContainerMount> mounts,
        List<String> scratch,
        List<Path> kept,
        String cwd,
        boolean reaches,
        List<String> dangers,
        List<String> remarks) {
    static final String WORKSPACE = "/workspace";

    static ContainerFolders of(
            ContainerKind kind,
            Options options,
            SandboxSpec spec,
            ContainerUser user,
            List<String> moreVolumes,
            boolean unsafe) {
        List<ContainerMount> mounts = new ArrayList<>();
        options.list("volumes").forEach(written -> mounts.add(ContainerMount.parse(written, options)));
        moreVolumes.forEach(written -> mounts.add(ContainerMount.parse(written, options)));
        boolean mountCwd = options.isTrue("mount-cwd", false);
        if (mountCwd) {
            boolean taken = mounts.stream().anyMatch(mount -> mount.target().equals(WORKSPACE));
            mounts.add(ContainerMount.folder(hostFolder(spec), taken ? "/host-cwd" : WORKSPACE));
        }
        boolean reaches = mounts.stream().anyMatch(ContainerMount::ofHost);
        List<String> dangers = mounts.stream()
                .map(ContainerMount::danger)
                .flatMap(Optional::stream)
                .toList();
        if (!dangers.isEmpty() && !unsafe) {
            throw options.wrong(
                    mountCwd && mounts.getLast().danger().isPresent() ? "mount-cwd" : "volumes",
                    dangers.getFirst() + ". Leave it out; option unsafe=true mounts it, and says so");
        }
        List<String> remarks = new ArrayList<>();
        String cwd = cwd(spec, user, mounts, mountCwd, remarks);
        List<String> own = List.of(WORKSPACE, user.home()).stream()
                .filter(folder ->
                        mounts.stream().noneMatch(mount -> mount.target().equals(folder)))
                .toList();
        List<Path> kept = new ArrayList<>();
        if (options.isTrue("persistent", false)) {
            Path base = base(kind, options, spec);
            for (String folder : own) {
                Path here = prepared(base.resolve(folder.equals(WORKSPACE) ? "workspace" : "home"), user);
                kept.add(here);
                mounts.add(ContainerMount.folder(here, folder));
            }
        }
        return new ContainerFolders(
                List.copyOf(mounts),
                kept.isEmpty() ? own : List.of(),
                List.copyOf(kept),
                cwd,
                reaches,
                dangers,
                List.copyOf(remarks));
    }

    /// Returns the folder of this machine for option `mount-cwd`: the one that was asked for, if it
    /// exists here.
    private static Path hostFolder(SandboxSpec spec) {
        return spec.cwd()
                .filter(cwd ->
                        cwd.startsWith("/") && !FolderMap.within(cwd, WORKSPACE) && !FolderMap.within(cwd, "/root"))
                .map(Path::of)
                .filter(Files::isDirectory)
                .orElseGet(() -> Path.of(System.getProperty("user.dir")))
                .toAbsolutePath()
                .normalize();
    }

    private static String cwd(
            SandboxSpec spec, ContainerUser user, List<ContainerMount> mounts, boolean mountCwd, List<String> remarks) {
        String standard = mountCwd ? mounts.getLast().target() : WORKSPACE;
        Optional<String> inside = spec.cwd().flatMap(wanted -> inside(wanted, user, mounts));
        if (inside.isEmpty() && spec.cwd().isPresent()) {
            remarks.add("The folder " + spec.cwd().get()
                    + " is one of this machine, and the container does not have it: work begins in " + standard
                    + ". Option mount-cwd=true mounts it there.");
        }
        return inside.orElse(standard);
    }

    /// Returns the path of a folder inside; nothing if it is a folder of this machine that is not
    /// visible inside.
    private static Optional<String> inside(String wanted, ContainerUser user, List<ContainerMount> mounts) {
        List<FolderMap.Shared> shared = mounts.stream()
                .filter(ContainerMount::ofHost)
                .map(mount -> new FolderMap.Shared(mount.source(), mount.target()))
                .toList();
        return new FolderMap(shared, user.home()).inside(wanted);
    }

    /// Returns the folder that work begins in, for a wanted folder that may be one of this machine.
    String inside(String wanted, ContainerUser user) {
        return inside(wanted, user, mounts).orElse(cwd);
    }

    private static Path sandboxFolder(Options options) {
        return options.find("sandbox-dir")
                .map(Path::of)
                .orElseGet(() -> HomeFolder.of(System.getenv(), "XDG_DATA_HOME", ".local/share")
                        .resolve("talaria/sandboxes"))
                .toAbsolutePath()
                .normalize();
    }

    /// Returns the folder of a session. Two sessions never share one.
    private static Path base(ContainerKind kind, Options options, SandboxSpec spec) {
        String session = FolderNames.of(FolderNames.session(spec));
        return sandboxFolder(options).resolve(kind.program()).resolve(session);
    }

    /// Returns the folder of ours with the kept files of a container, if there is one.
    static List<Path> keptOf(ContainerKind kind, Options options, SandboxSpec spec) {
        Path base = base(kind, options, spec);
        return options.isTrue("persistent", false) && Files.isDirectory(base) ? List.of(base) : List.of();
    }

    /// Returns whether a file inside outlives the container.
    boolean stays(String path, ContainerUser user) {
        String whole = path.equals("~") || path.startsWith("~/") ? user.home() + path.substring(1) : path;
        String place = Path.of(cwd).resolve(whole).normalize().toString();
        return mounts.stream().anyMatch(mount -> FolderMap.within(place, mount.target()));
    }

    private static Path prepared(Path folder, ContainerUser user) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, OwnFolder.MODE);
            }
            if (!user.host() && !Files.getAttribute(folder, "unix:uid").equals(user.uid())) {
                Files.setAttribute(folder, "unix:uid", user.uid()); // only root may, and it matters only for root
                Files.setAttribute(folder, "unix:gid", user.gid());
            }
            return folder;
        } catch (IOException e) {
            if (Files.isDirectory(folder)) {
                return folder; // it belongs to another user inside; the trial shows whether it can be written to
            }
            throw Client.unavailable("No folder can be made for what the sandbox keeps (" + e
                    + "). Set option sandbox-dir to a folder that you can write to.");
        }
    }
}
