package dev.talaria.engine.tool.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Walks the path to a file of this machine, name by name. Each folder is opened from the open folder above it, and
/// the kernel follows no link. So the names are the real path of the open folders, even if somebody swaps links
/// meanwhile.
final class HostPath implements AutoCloseable {
    private static final int MOST_LINKS = 40;
    private static final Path ROOT = Path.of("/");

    /// A folder on the path.
    ///
    /// @param open absent if the folder cannot be listed, and only the administrator can change it
    private record Level(Path path, Optional<SecureDirectoryStream<Path>> open) {}

    private final List<Level> levels = new ArrayList<>();
    private final List<Path> missing = new ArrayList<>(); // the file, and the missing folders above it

    /// Walks to a file and returns its real path. Its folder, or the last existing folder above it, is open
    /// afterwards.
    Path go(Path wanted) throws IOException {
        levels.add(new Level(ROOT, Optional.of(opened(ROOT))));
        Deque<Path> left = new ArrayDeque<>();
        wanted.forEach(left::addLast);
        int links = 0;
        while (!left.isEmpty()) {
            Path name = left.removeFirst();
            if (name.toString().equals("..")) {
                rise();
            } else if (!missing.isEmpty()) {
                missing.add(name);
            } else if (!name.toString().isEmpty() && !name.toString().equals(".")) {
                links += step(name, left);
            }
            if (links > MOST_LINKS) {
                throw new FileSystemLoopException(wanted.toString());
            }
        }
        if (missing.isEmpty()) {
            throw new FileSystemException(wanted.toString(), null, "it is not a regular file but a folder");
        }
        Path path = levels.getLast().path;
        for (Path name : missing) {
            path = path.resolve(name);
        }
        return path;
    }

    List<Path> missing() {
        return missing;
    }

    SecureDirectoryStream<Path> folder() throws IOException {
        Level last = levels.getLast();
        return last.open.orElseThrow(() -> new AccessDeniedException(last.path.toString(), null, "Permission denied"));
    }

    /// Enters a folder, or notes a missing one. Returns the number of links that it followed.
    private int step(Path name, Deque<Path> left) throws IOException {
        Optional<BasicFileAttributes> found = look(name);
        Path path = levels.getLast().path.resolve(name);
        if (found.isEmpty()) {
            missing.add(name);
            return 0;
        }
        if (found.get().isSymbolicLink()) {
            // The target of the link is checked like every other name.
            Path to = Files.readSymbolicLink(path);
            if (to.isAbsolute()) {
                while (levels.size() > 1) {
                    rise();
                }
            }
            for (int i = to.getNameCount() - 1; i >= 0; i--) {
                left.addFirst(to.getName(i));
            }
            return 1;
        }
        if (found.get().isDirectory()) {
            levels.add(new Level(path, enter(path)));
        } else if (left.isEmpty()) {
            missing.add(name);
        } else {
            throw new FileSystemException(path.toString(), null, "Not a directory");
        }
        return 0;
    }

    private Optional<BasicFileAttributes> look(Path name) throws IOException {
        Level last = levels.getLast();
        try {
            BasicFileAttributeView view = last.open
                    .map(open ->
                            open.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS))
                    .orElseGet(() -> Files.getFileAttributeView(
                            last.path.resolve(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
            return Optional.of(view.readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Optional<SecureDirectoryStream<Path>> enter(Path path) throws IOException {
        Level last = levels.getLast();
        try {
            return Optional.of(
                    last.open.isPresent()
                            ? last.open.get().newDirectoryStream(path.getFileName(), LinkOption.NOFOLLOW_LINKS)
                            : opened(path));
        } catch (AccessDeniedException e) {
            if (firm(path)) {
                return Optional.empty();
            }
            throw new AccessDeniedException(
                    path.toString(), null, "Permission denied: the folder " + path + " cannot be listed");
        }
    }

    /// Returns whether only the administrator can change the path to a folder, as is usual for `/home`.
    private static boolean firm(Path folder) throws IOException {
        for (Path at = folder; at != null; at = at.getParent()) {
            boolean administrators = Integer.valueOf(0).equals(Files.getAttribute(at, "unix:uid"));
            if (!administrators || Files.isWritable(at)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("StreamResourceLeak") // close() closes it
    private static SecureDirectoryStream<Path> opened(Path path) throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(path);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new IOException("folders cannot be held open on this system");
    }

    private void rise() {
        if (!missing.isEmpty()) {
            missing.removeLast();
        } else if (levels.size() > 1) {
            close(levels.removeLast());
        }
    }

    private static void close(Level level) {
        level.open.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing was written through this folder.
            }
        });
    }

    @Override
    public void close() {
        levels.forEach(HostPath::close);
        levels.clear();
    }
}
