package dev.talaria.backends.bubblewrap;

import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Finds the folders that a Python needs beyond its own file. It asks the interpreter itself, since
/// pyenv, conda and uv each use other folders.
///
/// Nothing that a sandbox can write to is run outside of it: a virtual environment of the project is
/// only read, and the interpreter behind it is asked.
final class Interpreters {
    private static final String ASK = "import sys,sysconfig;p=sysconfig.get_paths();"
            + "print(*{sys.prefix,sys.base_prefix,sys.exec_prefix,sys.base_exec_prefix,p['stdlib'],p['platstdlib'],"
            + "p['purelib'],p['platlib']},sep='\\n')";

    private static final Pattern NAME = Pattern.compile("python[0-9.]*[a-z]?|pypy[0-9.]*");
    private static final int MOST_LINKS = 10;

    private Interpreters() {}

    /// Returns the folders that an interpreter needs and that are not visible yet.
    ///
    /// @param seen whether a path is visible already
    /// @param foreign whether commands can write there
    static Set<Path> folders(Path python, Predicate<Path> seen, Predicate<Path> foreign) {
        Set<Path> folders = new LinkedHashSet<>();
        try {
            Path link = python;
            for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(link); i++) {
                folders.add(link.getParent());
                environment(link).ifPresent(folders::add);
                link = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
            }
            Path real = python.toRealPath();
            if (!seen.test(real)
                    && !foreign.test(real)
                    && NAME.matcher(real.getFileName().toString()).matches()) {
                folders.addAll(asked(real));
            }
        } catch (IOException e) {
            // The interpreter does not exist; an attempt to run it will report that.
        }
        folders.removeIf(seen);
        return folders;
    }

    /// Returns the virtual environment that a file in its `bin` belongs to.
    private static Optional<Path> environment(Path python) {
        return Optional.ofNullable(python.getParent())
                .map(Path::getParent)
                .filter(folder -> Files.isRegularFile(folder.resolve("pyvenv.cfg")));
    }

    private static List<Path> asked(Path python) {
        List<Path> folders = new ArrayList<>();
        Client.output(List.of(python.toString(), "-I", "-c", ASK))
                .ifPresent(text -> text.lines()
                        .filter(line -> line.startsWith("/"))
                        .map(Path::of)
                        .filter(Files::isDirectory)
                        .forEach(folders::add));
        return folders;
    }
}
