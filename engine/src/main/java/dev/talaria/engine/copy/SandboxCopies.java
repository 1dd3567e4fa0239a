package dev.talaria.engine.copy;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.admin.Copies;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/// Copies files and folders between this machine and a session's sandbox.
///
/// An interrupted copy goes on where it ended: at once if the sandbox can be reached again, otherwise when the same
/// copy is made again. In a sandbox without Python the shell copies a file, always from the start, and no folders.
public final class SandboxCopies implements Copies {
    private static final int TRIES = 3;

    private final Sandboxes sandboxes;

    public SandboxCopies(Sandboxes sandboxes) {
        this.sandboxes = sandboxes;
    }

    @Override
    public CopyResult up(String session, Path from, String to, CopyProgress progress, Cancellation cancellation) {
        Patience patience = new Patience(Deadline.never(), cancellation);
        if (!Files.exists(from)) {
            throw new SandboxException(ErrorCode.FILE_NOT_FOUND, "There is no " + from + " here.");
        }
        boolean folder = Files.isDirectory(from);
        return tried(session, progress, patience, () -> {
            SandboxLease lease = sandboxes.acquire(session, patience).withRelay(patience);
            Optional<Relay> relay = lease.relay();
            if (relay.isEmpty()) {
                return new ShellCopy(lease.sandbox(), patience).up(from, to, progress);
            }
            String target = absolute(relay.get(), to);
            return folder
                    ? new FolderCopy(relay.get(), patience).up(from, target, progress)
                    : new FileCopy(relay.get(), patience).up(from, target, progress);
        });
    }

    @Override
    public Optional<String> fleeting(String session, String to, CopyProgress progress, Cancellation cancellation) {
        Patience patience = new Patience(Deadline.never(), cancellation);
        try (var _ = use(session, progress)) {
            return sandboxes.acquire(session, patience).sandbox().fleeting(to);
        } catch (GaveUpException e) {
            throw cancelled(e);
        }
    }

    @Override
    public CopyResult down(
            String session, String from, Path to, long mostBytes, CopyProgress progress, Cancellation cancellation) {
        Patience patience = new Patience(Deadline.never(), cancellation);
        Path target = here(from, to);
        return tried(session, progress, patience, () -> {
            SandboxLease lease = sandboxes.acquire(session, patience).withRelay(patience);
            Optional<Relay> relay = lease.relay();
            return relay.isEmpty()
                    ? new ShellCopy(lease.sandbox(), patience).down(from, target, mostBytes, progress)
                    : new FileCopy(relay.get(), patience)
                            .down(lease.sandbox().name(), absolute(relay.get(), from), target, mostBytes, progress);
        });
    }

    /// Makes a copy and tries again if it is interrupted. The next try uses a new relay and goes on with the
    /// bytes of the last.
    private CopyResult tried(String session, CopyProgress progress, Patience patience, Supplier<CopyResult> copy) {
        for (int left = TRIES - 1; ; left--) {
            try (var _ = use(session, progress)) {
                return copy.get();
            } catch (GaveUpException e) {
                throw cancelled(e);
            } catch (SandboxException e) {
                if (patience.cancellation().cancelled()) {
                    throw new CancellationException(e.getMessage());
                }
                if (left == 0 || e.code() != ErrorCode.SANDBOX_LOST) {
                    throw e;
                }
            }
        }
    }

    private Sandboxes.Use use(String session, CopyProgress progress) {
        return sandboxes.use(session, what -> what.ifPresentOrElse(progress::preparing, progress::prepared));
    }

    private static CancellationException cancelled(GaveUpException e) {
        CancellationException cancelled = new CancellationException(e.getMessage());
        cancelled.initCause(e);
        return cancelled;
    }

    private static Path here(String from, Path to) {
        Path target = to.toAbsolutePath().normalize();
        if (Files.isSymbolicLink(target)) {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED, target + " is a link. Name the file or folder that it leads to.");
        }
        if (Files.isDirectory(target)) {
            String name = from.replaceAll("/+$", "");
            name = name.substring(name.lastIndexOf('/') + 1);
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.equals("~")) {
                throw new SandboxException(
                        ErrorCode.INVALID_ARGUMENT, from + " has no name of its own. Name a new folder for it.");
            }
            target = target.resolve(name);
        }
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new SandboxException(
                    ErrorCode.FILE_NOT_FOUND, "There is no folder " + folder + " here. Create it first.");
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                && !Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
                && !Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, target + " is neither a file nor a folder.");
        }
        try {
            return folder.toRealPath().resolve(target.getFileName());
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot use " + folder + ": " + Reason.of(e), e);
        }
    }

    /// Returns the absolute path in a sandbox. A relative path starts at the folder of its commands.
    public static String absolute(Relay relay, String path) {
        if (path.startsWith("/") || path.startsWith("~")) {
            return path;
        }
        String cwd = relay.info().cwd();
        return (cwd.endsWith("/") ? cwd : cwd + "/") + path;
    }
}
