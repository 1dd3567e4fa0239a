package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds the files that a program in another language visibly changes, and writes each change as a
/// shell command: `open('/etc/hosts', 'w')` becomes `: > /etc/hosts`.
///
/// Only paths that stand in the text count. A path that the program puts together, or gets from
/// elsewhere, is not seen.
final class CodeFiles {
    private static final Pattern WRITES = Pattern.compile(
            "\\bopen\\s*\\([^;]*['\"][rbt]*[wax+][rwaxbt+]*['\"]"
                    + "|\\bopen\\b[^;]*['\"]\\+?>" // perl
                    + "|\\b(?:fopen|File\\.(?:open|new))\\s*\\([^;]*['\"][rb]*[wax+]"
                    + "|write_text|write_bytes|\\.touch\\(|\\bwriteFile|\\bappendFile|createWriteStream|writeTextFile|Bun\\.write"
                    + "|file_put_contents|\\b(?:File|IO)\\.(?:write|binwrite|symlink|rename)|\\bspurt\\b"
                    + "|shutil\\.(?:copy|move)|copyFile|\\bfs\\.(?:rename|symlink|cp|chmod)|renameSync|symlinkSync|cpSync"
                    + "|os\\.(?:rename|replace|symlink|link|chmod|chown|truncate)\\b|FileUtils\\.(?:cp|mv|ln_s|touch|install)"
                    + "|\\b(?:rename|symlink)\\b|\\bcopy\\s*\\(|(?<![.\\w])write\\(|writeLines|\\bsink\\(|\\bfile\\s*=|\\bfile\\.(?:rename|copy|create)"
                    + "|\\bFiles\\.(?:write|copy|move|create|newOut|newBuf)|\\.text\\s*=|write-region|\\bFile\\.(?:write|cp|rename)!");
    private static final Pattern REMOVES = Pattern.compile(
            "os\\.(?:remove|unlink|rmdir)\\b|\\.unlink\\(|unlinkSync"
                    + "|\\bunlink\\b|File\\.(?:delete|unlink)|FileUtils\\.rm\\b|Deno\\.remove|file\\.remove|Files\\.delete|File\\.rm!?\\(");
    private static final Pattern TREES = Pattern.compile(
            "rmtree|rm_rf|rm_r\\b|rmSync|rmdirSync|fs\\.rm\\b|rimraf|removedirs|remove_tree|deltree|deleteDir|deleteRecursively|remove_dir|remove_entry"
                    + "|(?:unlink|remove(?:Sync)?|\\brm)\\s*\\([^;]{0,200}recursive|delete-directory|file\\s+delete");
    private static final Pattern EVERYWHERE = Pattern.compile("os\\.walk|rglob|Find\\.find|\\bfind\\s*\\(\\s*sub");
    private static final Pattern TEMPORARY = Pattern.compile("mkdtemp|TemporaryDirectory|mktmpdir|tmpdir|gettempdir");
    private static final Pattern HOME = Pattern.compile("(?i)home|expanduser|userprofile");
    private static final Pattern HOME_PREFIX =
            Pattern.compile("^(?:[$#]?\\{[^}]*(?i:home)[^}]*\\}|\\$HOME|\\$ENV\\{'?\"?HOME'?\"?\\})");
    private static final Pattern LITERAL =
            Pattern.compile("'((?:[^'\\\\\\n]|\\\\.){0,500})'|\"((?:[^\"\\\\\\n]|\\\\.){0,500})\"|`([^`\\n]{0,500})`");
    private static final Pattern MODE = Pattern.compile("[rwaxbt+]{1,4}|\\+?>{1,2}[^'\"]*");
    private static final Pattern PATH = Pattern.compile("(?:~|/|\\.{0,2}[\\w@+-])[\\w./~@+:*?-]*");
    private static final Pattern READ_BEFORE = Pattern.compile(
            "(?:read\\w*|replace\\w*|sub|gsub|split|startswith|endswith|includes|print|puts|log|echo|require|import)"
                    + "\\(?\\s*[rfbu]{0,2}$|(?:replace\\w*|sub|gsub)\\([^()]*,\\s*[rfbu]{0,2}$"
                    + "|(?<!File|IO|Bun)\\.write\\(\\s*[rfbu]{0,2}$");
    private static final Pattern READ_AFTER =
            Pattern.compile("^\\s*\\)\\s*\\.\\s*(?:read|exists|is_)|^\\s*,\\s*['\"]r");
    private static final Pattern OPENED = Pattern.compile("\\bopen\\(\\s*[rfbu]{0,2}$");
    private static final Pattern NAMED =
            Pattern.compile("(?:=|\\bPath\\(|expanduser\\(|\\bjoin\\(|resolve\\(|\\)\\s*/)\\s*[rfbu]{0,2}$");
    private static final int MOST = 40;

    private CodeFiles() {}

    /// Returns the shell commands that would make the same changes.
    static List<String> commands(String code) {
        boolean touches = WRITES.matcher(code).find()
                || REMOVES.matcher(code).find()
                || TREES.matcher(code).find();
        if (!touches) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        String masked = masked(code);
        boolean unnamed = false;
        int begin = 0;
        for (String statement : masked.split("(?<=[;\\n])", -1)) {
            unnamed |= statement(code, masked, begin, statement, found);
            begin += statement.length();
        }
        if (unnamed) {
            everyName(code, masked, found);
        }
        boolean all =
                EVERYWHERE.matcher(masked).find() && REMOVES.matcher(masked).find();
        if (all && !TEMPORARY.matcher(masked).find()) {
            found.add("rm -rf unnamed");
        }
        return found.subList(0, Math.min(found.size(), MOST));
    }

    /// Reads one statement. Returns whether it changes a file that it does not name.
    private static boolean statement(String code, String masked, int begin, String statement, List<String> found) {
        boolean trees = TREES.matcher(statement).find();
        boolean removes = trees || REMOVES.matcher(statement).find();
        if (!removes && !WRITES.matcher(statement).find()) {
            return false;
        }
        String verb = trees ? "rm -rf " : removes ? "rm " : ": > ";
        boolean home = HOME.matcher(statement).find();
        boolean named = false;
        Matcher literal = LITERAL.matcher(code).region(begin, begin + statement.length());
        while (literal.find() && found.size() < MOST) {
            String text = text(literal).replaceFirst("^\\+?>{1,2}\\s*(?=[/~.\\w])", ""); // perl opens a file so
            boolean path = path(text) && !read(masked, literal.start(), literal.end());
            if (path) {
                named = true;
                add(verb, text, home, found);
            }
        }
        if (!named && trees && !TEMPORARY.matcher(masked).find()) {
            found.add(home ? "rm -rf ~" : "rm -rf unnamed");
        }
        return !named;
    }

    /// Treats each path that is assigned to a name as a file that may be written.
    private static void everyName(String code, String masked, List<String> found) {
        boolean home = HOME.matcher(masked).find();
        Matcher literal = LITERAL.matcher(code);
        while (literal.find() && found.size() < MOST) {
            String before = masked.substring(0, literal.start());
            if (path(text(literal)) && NAMED.matcher(before).find()) {
                add(": > ", text(literal), home, found);
            }
        }
    }

    private static void add(String verb, String text, boolean home, List<String> found) {
        String path = HOME_PREFIX.matcher(text).replaceFirst("~");
        found.add(verb + path);
        if (home && !path.startsWith("~")) {
            found.add(verb + "~/" + path.replaceFirst("^/+", ""));
        }
    }

    private static boolean path(String text) {
        String path = HOME_PREFIX.matcher(text).replaceFirst("~");
        return (path.length() > 1 || path.equals("/") || path.equals("~"))
                && !MODE.matcher(path).matches()
                && PATH.matcher(path).matches();
    }

    private static boolean read(String masked, int begin, int end) {
        String before = masked.substring(Math.max(0, begin - 200), begin);
        String after = masked.substring(end, Math.min(masked.length(), end + 40));
        boolean onlyOpened = OPENED.matcher(before).find() && after.startsWith(")");
        return onlyOpened
                || READ_BEFORE.matcher(before).find()
                || READ_AFTER.matcher(after).find();
    }

    /// Returns the text with all string literals blanked out, except for the modes of opening a file.
    private static String masked(String code) {
        StringBuilder masked = new StringBuilder(code);
        Matcher literal = LITERAL.matcher(code);
        while (literal.find()) {
            if (!MODE.matcher(text(literal)).matches()) {
                for (int i = literal.start() + 1; i < literal.end() - 1; i++) {
                    masked.setCharAt(i, '_');
                }
            }
        }
        return masked.toString();
    }

    private static String text(Matcher literal) {
        for (int i = 1; i <= literal.groupCount(); i++) {
            if (literal.group(i) != null) {
                return literal.group(i);
            }
        }
        return "";
    }
}
