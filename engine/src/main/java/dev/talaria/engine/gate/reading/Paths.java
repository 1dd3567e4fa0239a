package dev.talaria.engine.gate.reading;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/// Normalizes paths as the kernel reads them: `/etc/../` is `/`, and `*` in `/` is everything.
final class Paths {
    private static final List<String> SYSTEM =
            List.of("etc", "usr", "home", "root", "var", "bin", "sbin", "boot", "lib", "lib64", "opt");

    private static final Pattern PROCESS_ROOT = Pattern.compile("proc/[^/]+(?:/task/[^/]+)?/root");
    private static final Pattern OWN_FOLDER = Pattern.compile("proc/(?:self|thread-self)(?:/task/[^/]+)?/cwd");
    private static final Pattern OF_PROCESS = Pattern.compile(
            "^/proc/[^/]+(?:/task/[^/]+)?/(?:cwd|map_files)(?:/|$)|^/(?:dev/fd|proc/[^/]+(?:/task/[^/]+)?/fd)/(?![12]$)|^/dev/stdin$");

    private Paths() {}

    /// Returns an absolute path, or a path below a home, without `.`, `..` and doubled slashes.
    /// Returns other words unchanged.
    static String clean(String word) {
        int start = word.startsWith("of=") ? 3 : 0;
        char first = word.length() > start ? word.charAt(start) : ' ';
        if ((first != '/' && first != '~') || !(word.contains("/.") || word.contains("//"))) {
            return word;
        }
        return word.substring(0, start) + normal(word.substring(start));
    }

    /// Returns a path without `.`, `..` and doubled slashes. A leading mark or `~` stays.
    static String normal(String path) {
        String real = path.startsWith("/") ? throughProcesses(path, "") : path;
        boolean home = !real.isEmpty() && unknownHead(real.charAt(0));
        String head = home ? real.substring(0, 1) : "";
        Deque<String> parts = new ArrayDeque<>();
        if (home) {
            parts.add(head);
        }
        for (String part : real.substring(head.length()).split("/", -1)) {
            if (part.equals("..")) {
                if (!parts.isEmpty() && parts.peekLast().equals("~")) {
                    parts.removeLast();
                    parts.add("home"); // or some other folder of homes
                } else if (!parts.isEmpty()
                        && !(parts.size() == 1 && home)
                        && !parts.peekLast().equals("..")) {
                    parts.removeLast();
                } else if (home) {
                    parts.add(".."); // above an unknown folder
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        String joined = String.join("/", parts);
        return !joined.isEmpty() && unknownHead(joined.charAt(0)) ? joined : "/" + joined;
    }

    /// Returns the last name of a path.
    static String last(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
    }

    /// Resolves the kernel's links in `/proc` that lead to other places: `/proc/1/root/etc` is
    /// `/etc`.
    ///
    /// @param folder the folder that commands run in; if it is empty, links to that folder stay as
    ///     they are
    static String throughProcesses(String path, String folder) {
        if (!path.contains("proc") && !path.contains("fd")) {
            return path;
        }
        Deque<String> parts = new ArrayDeque<>();
        String head = "/";
        for (String part : path.split("/", -1)) {
            if (part.equals("..") && head.equals("/") && String.join("/", parts).equals("dev/fd")) {
                parts.clear();
                parts.addAll(List.of("proc", "self"));
            } else if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
            String way = head.equals("/") ? String.join("/", parts) : "";
            if (PROCESS_ROOT.matcher(way).matches()) {
                parts.clear();
            } else if (!folder.isEmpty() && OWN_FOLDER.matcher(way).matches()) {
                parts.clear();
                head = folder + "/";
            }
        }
        return head.equals("/") ? head + String.join("/", parts) : normal(head + String.join("/", parts));
    }

    /// Returns whether a path leads through a process that is not known: its folder or its open
    /// files.
    static boolean ofProcess(String path) {
        return OF_PROCESS.matcher(path).find();
    }

    private static boolean unknownHead(char c) {
        return c == '~' || UnknownValues.mark(c) || c == ShellContext.START.charAt(0);
    }

    /// Replaces patterns that match the system's folders by those folders.
    static String wild(String path) {
        if (path.isEmpty() || path.charAt(0) != '/' || !Globs.wild(path)) {
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
