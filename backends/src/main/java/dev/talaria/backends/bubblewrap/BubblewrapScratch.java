package dev.talaria.backends.bubblewrap;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// The files of a bubblewrap sandbox on the host's disk: its own /tmp, /var/tmp and home, so that
/// commands share files, and beside them files for us alone. Commands see the former, and nothing of
/// the latter.
///
/// @param root the folder, named after the sandbox; it belongs to its owner alone
record BubblewrapScratch(Path root) {
    private static final System.Logger LOG = System.getLogger(BubblewrapScratch.class.getName());

    static BubblewrapScratch of(SandboxSpec spec) {
        return new BubblewrapScratch(Path.of(System.getProperty("java.io.tmpdir", "/tmp"))
                .toAbsolutePath()
                .resolve(spec.outsideName()));
    }

    static BubblewrapScratch create(SandboxSpec spec, Profile profile) {
        BubblewrapScratch scratch = of(spec);
        try {
            Files.createDirectory(scratch.root, OwnFolder.MODE);
            for (Path folder : List.of(scratch.temporary(), scratch.kept(), scratch.home())) {
                Files.createDirectory(folder, OwnFolder.MODE);
            }
            Optional<byte[]> filter = SeccompFilter.of(System.getProperty("os.arch", ""), profile);
            if (filter.isPresent()) {
                Files.write(scratch.filter(), filter.get());
            }
            return scratch;
        } catch (IOException e) {
            throw Client.unavailable("No folder can be made for the sandbox's /tmp (" + Reason.of(e)
                    + "). Make room in " + scratch.root.getParent() + ".");
        }
    }

    /// Returns the folder that becomes /tmp.
    Path temporary() {
        return root.resolve("tmp");
    }

    /// Returns the folder that becomes /var/tmp.
    Path kept() {
        return root.resolve("var-tmp");
    }

    Path home() {
        return root.resolve("home");
    }

    /// Returns the file with the seccomp filter.
    Path filter() {
        return root.resolve("filter");
    }

    boolean filtered() {
        return Files.exists(filter());
    }

    /// Returns the file with the path of the control group.
    Path group() {
        return root.resolve("group");
    }

    /// Returns the number of bytes that commands have left there.
    OptionalLong bytes() {
        try (Stream<Path> files = Files.walk(root)) {
            return OptionalLong.of(files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .mapToLong(file -> file.toFile().length())
                    .sum());
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty(); // it changes while we count, or we may not read it
        }
    }

    /// Removes the files that commands left, even folders that they made unreadable. Does not follow
    /// symbolic links.
    void remove() {
        OwnFolder.remove(root).ifPresent(left -> LOG.log(System.Logger.Level.WARNING, left));
    }
}
