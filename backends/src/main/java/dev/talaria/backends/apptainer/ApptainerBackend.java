package dev.talaria.backends.apptainer;

import dev.talaria.api.Backend;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.Usage;
import dev.talaria.backends.options.FolderNames;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs commands in a container without a daemon and without root, as clusters offer it: an instance
/// of Apptainer (or Singularity) that is made for the sandbox and ends with it. The container sees
/// the image, a home folder and a `/tmp` of its own, no other processes, and no network unless an
/// option asks for it. Its root user has no more rights than the user who runs Talaria.
public final class ApptainerBackend implements Backend {
    private static final String[] OPTIONS = {
        "image",
        "binary",
        "scratch",
        "cache",
        "persistent",
        "network",
        "volumes",
        "forward-env",
        "fakeroot",
        "memory",
        "cpus",
        "disk-warning"
    };
    private static final Duration START = Duration.ofMinutes(2);
    private static final Path NODES = Path.of("/scratch");

    private final DiskWarning disk = new DiskWarning();

    @Override
    public String name() {
        return "apptainer";
    }

    @Override
    public boolean isolates() {
        return true;
    }

    @Override
    public Optional<String> keepOption() {
        return Optional.of("persistent");
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        return open(spec, _ -> {});
    }

    @Override
    public Sandbox open(SandboxSpec spec, Consumer<String> progress) {
        Options options = Options.of(this, spec).allow(OPTIONS);
        String image = options.requireName("image", "a SIF file, a folder, or the like of docker://debian:12");
        ApptainerFlags flags = ApptainerFlags.of(options);
        ApptainerClient client = client(options);
        ApptainerFolders folders = folders(options);
        double warning = DiskWarning.gigabytes(options.find("disk-warning").orElse("500"));
        List<String> remarks = new ArrayList<>();
        ApptainerImage found = ApptainerImage.of(image, client, folders.cache(), progress);
        found.remark().ifPresent(remarks::add);
        ApptainerFolders.Own own =
                flags.persistent() ? folders.kept(FolderNames.session(spec)) : folders.temporary(spec.outsideName());
        try {
            Started started = start(client, flags, own, found.name(), spec.outsideName(), remarks);
            Optional<String> inside = spec.cwd().flatMap(flags::inside);
            ApptainerProbe probe = probe(client, started, own, flags, inside.orElse(""));
            if (probe.given().size() > flags.volumes().size()) {
                remarks.add("Besides its image the sandbox sees " + String.join(", ", probe.given())
                        + " of this machine, as its Apptainer is configured to.");
            }
            if (inside.isEmpty() && spec.cwd().isPresent()) {
                remarks.add("The folder " + spec.cwd().get() + " is one of this machine, and the sandbox does not have"
                        + " it: work begins in " + probe.home() + ". Option volumes shows it, as [\"SOURCE:TARGET\"].");
            }
            return new ApptainerSandbox(
                    client,
                    spec.outsideName(),
                    started.into(),
                    started.instance(),
                    own,
                    probe,
                    flags,
                    inside.map(probe::expanded).orElse(probe.home()),
                    () -> {
                        List<String> all = new ArrayList<>(remarks);
                        disk.remark(folders, warning).ifPresent(all::add);
                        return List.copyOf(all);
                    });
        } catch (SandboxException e) {
            release(client, spec.outsideName(), own, e);
            throw e;
        }
    }

    /// How commands enter the container.
    ///
    /// @param into the words between `exec` and the command
    /// @param instance whether there is an instance
    private record Started(List<String> into, boolean instance) {}

    private static Started start(
            ApptainerClient client,
            ApptainerFlags flags,
            ApptainerFolders.Own own,
            String image,
            String name,
            List<String> remarks) {
        ApptainerFlags used = flags;
        Client.Finished started = startInstance(client, used, own, image, name);
        if (!started.ended(0) && flags.limited() && started.said().contains("cgroups")) {
            used = flags.unlimited();
            remarks.add("Memory and processor time are not limited: this machine lets Apptainer make no cgroups ("
                    + lastLine(started.said()) + ").");
            started = startInstance(client, used, own, image, name);
        }
        if (started.ended(0)) {
            return new Started(List.of("instance://" + name), true);
        }
        List<String> alone = ShellWords.joined(used.list(own), List.of(image));
        Client.Finished tried =
                Client.run(client.command(ApptainerSandbox.exec(client, alone, List.of("true"), "/")), START, 4000);
        if (!tried.ended(0)) {
            throw Client.unavailable(ApptainerDiagnosis.explain(client.program(), image, started.said(), tried.said()));
        }
        remarks.add("No instance could be started (" + lastLine(started.said()) + "), so every command gets a"
                + " container of its own: of what one changes, others see the home folder and /tmp"
                + (flags.persistent() ? "." : ", not the rest."));
        return new Started(alone, false);
    }

    private static Client.Finished startInstance(
            ApptainerClient client, ApptainerFlags flags, ApptainerFolders.Own own, String image, String name) {
        return client.run(
                START, ShellWords.joined(List.of("instance", "start"), flags.list(own), List.of(image, name)));
    }

    private static ApptainerProbe probe(
            ApptainerClient client, Started started, ApptainerFolders.Own own, ApptainerFlags flags, String cwd) {
        Client.Finished answer = Client.run(
                client.command(
                        ApptainerSandbox.exec(client, started.into(), ApptainerProbe.question(own.work(), cwd), "/")),
                START,
                1 << 20);
        if (answer.ended(ApptainerProbe.NO_FOLDER)) {
            throw Options.refuse("The image has no folder " + cwd + " to work in, and it cannot be made ("
                    + answer.said() + "). Leave cwd out, or show a folder there by option volumes.");
        }
        if (!answer.ended(0)) {
            throw Client.unavailable("No command runs in the sandbox (" + answer.said()
                    + "). Its image needs at least sh, cat and readlink.");
        }
        ApptainerProbe probe =
                ApptainerProbe.read(answer.printed(), own.top().getFileName().toString(), !flags.shared());
        if (!probe.broken().isEmpty()) {
            throw Client.unavailable("Apptainer does not keep the sandbox apart here: "
                    + String.join("; ", probe.broken()) + ". Ask who set it up, or choose another backend.");
        }
        return probe;
    }

    private static void release(ApptainerClient client, String name, ApptainerFolders.Own own, SandboxException why) {
        try {
            ApptainerSandbox.stop(client, name);
        } catch (SandboxException e) {
            why.addSuppressed(e);
        } finally {
            own.release();
        }
    }

    @Override
    public boolean leavesThings() {
        return true;
    }

    @Override
    public void remove(SandboxSpec spec) {
        Options options = Options.of(this, spec);
        ApptainerSandbox.stop(client(options), spec.outsideName());
        ApptainerFolders.delete(folders(options).scratch().resolve(spec.outsideName()));
    }

    @Override
    public Usage usage(SandboxSpec spec) {
        Options options = Options.of(this, spec);
        ApptainerFolders folders = folders(options);
        Path top = ApptainerFlags.of(options).persistent()
                ? folders.keptOf(FolderNames.session(spec))
                : folders.scratch().resolve(spec.outsideName());
        return ApptainerSandbox.usage(client(options), spec.outsideName(), top);
    }

    private static ApptainerClient client(Options options) {
        return ApptainerClient.locate(options, System.getenv());
    }

    private static ApptainerFolders folders(Options options) {
        return ApptainerFolders.of(options, NODES, System.getenv());
    }

    private static String lastLine(String said) {
        return said.substring(said.lastIndexOf('\n') + 1).strip();
    }
}
