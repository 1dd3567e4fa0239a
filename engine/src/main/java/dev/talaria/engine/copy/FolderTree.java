package dev.talaria.engine.copy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/// The content of a folder of this machine, for an archive. Links are never followed. Links that lead out of the
/// folder are left out, and so are pipes, sockets and devices.
final class FolderTree {
    /// One file, folder or link of the tree.
    record Item(Path path, TarEntry entry) {}

    private final List<Item> items = new ArrayList<>();
    private final Notes notes = new Notes();

    private FolderTree() {}

    /// Reads a folder's tree.
    ///
    /// @param skip says which paths below the folder are left out
    static FolderTree of(Path folder, Predicate<String> skip) throws IOException {
        FolderTree tree = new FolderTree();
        Path root = folder.toRealPath();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes state) throws IOException {
                if (path.equals(root)) {
                    return FileVisitResult.CONTINUE;
                }
                if (skip.test(root.relativize(path).toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                tree.add(root, path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes state) throws IOException {
                if (!skip.test(root.relativize(path).toString())) {
                    tree.add(root, path);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException problem) {
                tree.note(root, path, "cannot be read");
                return FileVisitResult.CONTINUE;
            }
        });
        return tree;
    }

    private void add(Path root, Path path) throws IOException {
        BasicFileAttributes state = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String link = "";
        TarEntry.Kind kind;
        if (state.isSymbolicLink()) {
            kind = TarEntry.Kind.LINK;
            Path to = Files.readSymbolicLink(path);
            link = to.toString();
            Path above = path.getParent();
            if (to.isAbsolute()
                    || above == null
                    || !above.resolve(to).normalize().startsWith(root)) {
                note(root, path, "is a link that leads out of the folder");
                return;
            }
        } else if (state.isDirectory()) {
            kind = TarEntry.Kind.FOLDER;
        } else if (state.isRegularFile()) {
            kind = TarEntry.Kind.FILE;
        } else {
            note(root, path, "is neither file nor folder");
            return;
        }
        items.add(new Item(
                path,
                new TarEntry(
                        root.relativize(path).toString(),
                        kind,
                        kind == TarEntry.Kind.FILE ? state.size() : 0,
                        mode(path, LinkOption.NOFOLLOW_LINKS),
                        state.lastModifiedTime().toMillis() / 1000,
                        link)));
    }

    /// Returns a file's permission bits.
    static int mode(Path path, LinkOption... links) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", links) & 0777;
    }

    private void note(Path root, Path path, String why) {
        notes.leftOut(root.relativize(path).toString(), why);
    }

    List<Item> items() {
        return items;
    }

    long bytes() {
        return items.stream().mapToLong(item -> item.entry().size()).sum();
    }

    List<String> notes() {
        return notes.all();
    }

    /// Writes items of this folder into an archive.
    ///
    /// @param moved gets the number of bytes that are written so far
    void write(List<Item> wanted, TarWriter tar, LongConsumer moved) throws IOException {
        long done = 0;
        for (Item item : wanted) {
            if (item.entry().kind() != TarEntry.Kind.FILE) {
                tar.add(item.entry());
                continue;
            }
            InputStream file;
            try {
                file = Files.newInputStream(item.path(), LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                notes.add(item.entry().name(), "cannot be read; left out.");
                continue;
            }
            try (InputStream in = new BufferedInputStream(file, 1 << 16)) {
                if (!tar.add(item.entry(), in)) {
                    notes.add(item.entry().name(), "became shorter while it was copied.");
                }
            }
            done += item.entry().size();
            moved.accept(done);
        }
        tar.close();
    }
}
