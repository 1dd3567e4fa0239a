package dev.talaria.engine.decide.reading;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// Paths as the kernel takes them: `/etc/../` is `/`, and `*` in `/` is all there is.
final class Paths {
    private static final List<String> SYSTEM =
            List.of("etc", "usr", "home", "root", "var", "bin", "sbin", "boot", "lib", "lib64", "opt");

    private Paths() {}

    /// Returns an absolute path, or one below a home, without `.`, `..` and doubled slashes. Other words come back as
    /// they are.
    static String clean(String word) {
        int start = word.startsWith("of=") ? 3 : 0;
        char first = word.length() > start ? word.charAt(start) : ' ';
        if ((first != '/' && first != '~') || !(word.contains("/.") || word.contains("//"))) {
            return word;
        }
        return word.substring(0, start) + normal(word.substring(start));
    }

    /// Returns where a path leads from a folder; nothing if only the shell knows.
    static Optional<String> resolve(String path, Optional<String> folder) {
        if (path.isEmpty() || path.indexOf('$') >= 0) {
            return Optional.empty();
        }
        if (path.equals("~root") || path.startsWith("~root/")) {
            return Optional.of(wild(normal("/" + path.substring(1))));
        }
        if (path.charAt(0) == '/' || path.equals("~") || path.startsWith("~/")) {
            return Optional.of(wild(normal(path)));
        }
        String below = path.equals("~+") || path.startsWith("~+/") ? "." + path.substring(2) : path;
        return below.charAt(0) == '~' ? Optional.empty() : folder.map(from -> wild(normal(from + "/" + below)));
    }

    private static String normal(String path) {
        boolean home = path.charAt(0) == '~';
        Deque<String> parts = new ArrayDeque<>();
        if (home) {
            parts.add("~");
        }
        for (String part : (home ? path.substring(1) : path).split("/", -1)) {
            if (part.equals("..")) {
                if (!parts.isEmpty() && parts.removeLast().equals("~")) {
                    parts.add("home"); // or where else homes are
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        String joined = String.join("/", parts);
        return joined.startsWith("~") ? joined : "/" + joined;
    }

    /// Puts the system's folders in the place of patterns that mean them.
    private static String wild(String path) {
        if (path.charAt(0) != '/' || !Globs.wild(path)) {
            return path;
        }
        Iterator<String> parts = List.of(path.substring(1).split("/", -1)).iterator();
        String first = parts.next();
        String rest = parts.hasNext() ? path.substring(first.length() + 1) : "";
        boolean everything = first.chars().allMatch(c -> c == '*' || c == '?');
        if (everything) {
            return Globs.wild(rest) || rest.isEmpty() ? "/*" : path;
        }
        return Globs.find(first, SYSTEM).map(name -> "/" + name + rest).orElse(path);
    }
}
