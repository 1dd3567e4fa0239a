package dev.talaria.engine.copy;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.SyncSettings;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.output.SecretFiles;
import dev.talaria.engine.sandbox.SandboxContent;
import dev.talaria.engine.util.Sha256;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Uploads a folder of this machine into a sandbox. It sends the list of files, the sandbox answers which are
/// missing, and one archive holds these. Files that commands have changed or made are downloaded into another
/// folder, which the user named, never over the sources.
public final class FolderSync implements SandboxContent {
    private static final Logger LOG = LoggerFactory.getLogger(FolderSync.class);
    private static final Duration LONGEST_BACK = Duration.ofMinutes(10);
    private static final int TRIES = 3;
    private static final int PART = 1 << 16;

    /// The files that were uploaded into one sandbox.
    ///
    /// @param sandbox the name of the sandbox
    /// @param path the folder in the sandbox
    /// @param list the names, sizes and hashes of the files, compressed
    private record PushedFolder(String sandbox, String path, ByteBuffer list) {}

    private final SyncSettings settings;
    private final Settings all;

    private FolderSync(Settings all) {
        this.settings = all.sync();
        this.all = all;
    }

    /// Returns the content that these settings describe.
    public static SandboxContent of(Settings settings) {
        return settings.sync().folder().isEmpty() ? SandboxContent.NONE : new FolderSync(settings);
    }

    @Override
    public Uploaded upload(
            String sandbox, Function<Patience, Relay> relays, Consumer<String> progress, Patience patience) {
        Path folder = here(settings.folder().orElseThrow());
        if (!Files.isDirectory(folder)) {
            throw wrong("sync.folder: there is no folder " + folder + " here.");
        }
        settings.back().map(FolderSync::here).ifPresent(back -> checkBack(folder, back));
        String to = settings.to()
                .or(all::cwd)
                .orElseThrow(() ->
                        wrong("sync.folder is set, and neither sync.remote nor cwd says where it goes. Set one."));
        Relay relay = relays.apply(patience);
        try {
            FolderTree tree = FolderTree.of(folder, this::skipped);
            byte[] packed = packed(list(tree));
            Map<String, Object> order =
                    Map.of("do", "sync", "path", SandboxCopies.absolute(relay, to), "list", packed.length);
            try (CopyAgent agent = CopyAgent.start(relay, order, _ -> {}, patience)) {
                agent.send(ByteBuffer.wrap(packed));
                Map<String, Object> there = agent.answer();
                List<FolderTree.Item> missing = missing(tree, there);
                if (!missing.isEmpty()) {
                    GZIPOutputStream zip = new GZIPOutputStream(new BufferedOutputStream(agent.stream(), PART));
                    UploadProgress sending = new UploadProgress(folder, missing, progress);
                    tree.write(missing, new TarWriter(new BufferedOutputStream(zip, PART)), sending::moved);
                    zip.finish();
                    zip.flush();
                }
                agent.endInput();
                Map<String, Object> done = agent.answer();
                tree.notes().forEach(note -> LOG.warn("sync: {}", note));
                FolderCopy.refused(done).forEach(note -> LOG.warn("sync: {}", note));
                PushedFolder uploaded =
                        new PushedFolder(sandbox, String.valueOf(there.get("path")), ByteBuffer.wrap(packed));
                return later -> download(uploaded, later);
            }
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot sync " + folder + ": " + Reason.of(e), e);
        }
    }

    private static Path here(String folder) {
        return Path.of(Folders.expandHome(folder)).toAbsolutePath().normalize();
    }

    private void checkBack(Path folder, Path back) {
        if (folder.startsWith(back)) {
            throw wrong("sync.back " + back + " holds the sources. Name another folder: results never go over them.");
        }
        if (all.folders().ours().stream().anyMatch(control -> back.startsWith(control) || control.startsWith(back))) {
            throw wrong("sync.back " + back + " is where Talaria keeps its own files. Name another folder.");
        }
    }

    private static SandboxException wrong(String message) {
        return new SandboxException(ErrorCode.INVALID_CONFIGURATION, message);
    }

    private boolean skipped(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return settings.exclude().contains(name) || settings.exclude().contains(path) || SecretFiles.isSecret(path);
    }

    private static Map<String, Object> list(FolderTree tree) throws IOException {
        Map<String, Object> list = new LinkedHashMap<>();
        for (FolderTree.Item item : tree.items()) {
            if (item.entry().kind() == TarEntry.Kind.FILE) {
                try (FileChannel channel = FileChannel.open(item.path(), StandardOpenOption.READ)) {
                    String hash = Sha256.of(channel, item.entry().size());
                    list.put(
                            item.entry().name(),
                            List.of(item.entry().size(), hash, item.entry().mode()));
                }
            }
        }
        return list;
    }

    private static byte[] packed(Map<String, Object> list) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(packed)) {
            out.write(Json.bytes(list));
        }
        return packed.toByteArray();
    }

    /// Returns the items to send: the files that the sandbox named, and all folders and links.
    private static List<FolderTree.Item> missing(FolderTree tree, Map<String, Object> there) {
        Set<Object> wanted = there.get("missing") instanceof List<?> numbers ? new HashSet<>(numbers) : Set.of();
        List<FolderTree.Item> items = new ArrayList<>();
        boolean any = false;
        int files = 0;
        for (FolderTree.Item item : tree.items()) {
            boolean file = item.entry().kind() == TarEntry.Kind.FILE;
            if (!file || wanted.contains(files++)) {
                items.add(item);
                any |= file;
            }
        }
        return any ? items : List.of();
    }

    private void download(PushedFolder uploaded, Function<Patience, Relay> relays) {
        if (settings.back().isEmpty()) {
            return;
        }
        Path back = here(settings.back().get());
        Path folder = all.folders().state().resolve("sync-back");
        Path archive = folder.resolve(
                System.currentTimeMillis() + "-" + ProcessHandle.current().pid() + ".tar.gz");
        try {
            Folders.create(folder);
            fetch(relays, uploaded, archive);
            List<String> refused = unpack(archive, back);
            if (refused.isEmpty()) {
                Files.deleteIfExists(archive);
            } else {
                refused.forEach(note -> LOG.warn("sync.back: {}", note));
                LOG.warn("sync.back: all that came is in {}", archive);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "What was changed in {}:{} did not come back into {}: {}{}",
                    uploaded.sandbox,
                    uploaded.path,
                    back,
                    Reason.of(e),
                    Files.exists(archive) ? ". What has come is in " + archive : "");
        }
    }

    private void fetch(Function<Patience, Relay> relays, PushedFolder uploaded, Path archive) throws IOException {
        Patience patience = new Patience(Deadline.after(LONGEST_BACK), new Cancellation());
        for (int left = TRIES - 1; ; left--) {
            try (FileChannel file = FileChannel.open(
                    archive,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                fetch(relays.apply(patience), uploaded, file, patience);
                return;
            } catch (SandboxException | GaveUpException e) {
                if (left == 0) {
                    throw e;
                }
            }
        }
    }

    private void fetch(Relay relay, PushedFolder uploaded, FileChannel file, Patience patience) {
        List<String> skip = settings.exclude();
        Map<String, Object> order =
                Map.of("do", "changes", "path", uploaded.path, "list", uploaded.list.remaining(), "skip", skip);
        try (CopyAgent agent = CopyAgent.start(
                relay,
                order,
                part -> {
                    try {
                        if (file.size() + part.remaining() > settings.backBytes()) {
                            throw new SandboxException(
                                    ErrorCode.FILE_REFUSED,
                                    "There is more than sync.back-bytes (" + settings.backBytes() + ") allows");
                        }
                        while (part.hasRemaining()) {
                            file.write(part);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                patience)) {
            agent.send(uploaded.list.duplicate());
            var _ = agent.answer();
            var _ = agent.answer();
        }
    }

    private List<String> unpack(Path archive, Path back) throws IOException {
        Files.createDirectories(back);
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(archive), PART);
                SafeUnpacker unpacker = new SafeUnpacker(back.toRealPath(), settings.backBytes())) {
            TarReader tar = new TarReader(unpacker);
            byte[] buffer = new byte[PART];
            for (int count = in.read(buffer); count >= 0 && !tar.over(); count = in.read(buffer)) {
                tar.accept(ByteBuffer.wrap(Arrays.copyOf(buffer, count)));
            }
            if (!tar.over()) {
                throw new IOException("the archive is not whole");
            }
            return unpacker.notes();
        } catch (IllegalArgumentException e) {
            throw new IOException("the archive cannot be read: " + Reason.of(e), e);
        }
    }
}
