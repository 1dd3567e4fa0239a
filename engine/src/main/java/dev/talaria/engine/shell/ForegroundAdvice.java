package dev.talaria.engine.shell;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Recognizes commands that should not run in the foreground: servers, `&`, and programs that detach
/// themselves. Such commands run; their results say how to do it better.
public final class ForegroundAdvice {
    private static final Pattern WRAPPER =
            Pattern.compile("(?im)(?:^|[;&|]\\s*|&&\\s*|\\|\\|\\s*|\\$\\(\\s*)(?:nohup|disown|setsid)\\b");
    private static final Pattern AMPERSAND = Pattern.compile("\\s&\\s|\\s&\\s*(?:#.*)?$");
    private static final Pattern SERVER =
            Pattern.compile("(?i)\\b(?:npm|pnpm|yarn|bun)\\s+(?:run\\s+)?(?:dev|start|serve|watch)\\b"
                    + "|\\bdocker\\s+compose\\s+up\\b|\\bnext\\s+dev\\b|\\bvite(?:\\s|$)|\\bnodemon\\b|\\buvicorn\\b"
                    + "|\\bgunicorn\\b|\\bpython(?:3)?\\s+-m\\s+http\\.server\\b");
    private static final int LONGEST = 20_000; // nobody writes such a long command to start a server

    private ForegroundAdvice() {}

    /// Returns what to do instead, if there is anything.
    ///
    /// @param wentOn whether the command was killed, or had left something running: `grep -rn vite .`
    ///     starts no server
    public static Optional<String> of(String command, boolean wentOn) {
        String lower = command.strip().toLowerCase(Locale.ROOT);
        if (command.length() > LONGEST
                || lower.contains(" --help")
                || lower.contains(" --version")
                || lower.endsWith(" -h")
                || lower.endsWith(" -v")) {
            return Optional.empty();
        }
        String bare = unquoted(command);
        if (WRAPPER.matcher(bare).find()) {
            return Optional.of(
                    "What a foreground command leaves running is ended with it, nohup, setsid or not. Send the"
                            + " command without them and with background=true.");
        }
        if (AMPERSAND.matcher(bare).find()) {
            return Optional.of(
                    "What a foreground command leaves running with & is ended with it. Send the command without"
                            + " & and with background=true.");
        }
        if (wentOn && SERVER.matcher(bare).find()) {
            return Optional.of(
                    "This starts a server: run it with background=true, check that it is ready, and test it with"
                            + " a command of its own.");
        }
        return Optional.empty();
    }

    /// Returns whether a command seems to start a server.
    public static boolean startsServer(String command) {
        return command.length() <= LONGEST && SERVER.matcher(unquoted(command)).find();
    }

    /// Returns the command with empty quotes and without here-documents that no shell runs.
    private static String unquoted(String command) {
        StringBuilder bare = new StringBuilder();
        String text = HEREDOC.matcher(command).replaceAll("$1");
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char next = text.charAt(at);
            if (quote == 0) {
                bare.append(next);
                if (next == '\\' && at + 1 < text.length()) {
                    bare.append(text.charAt(++at));
                } else if (next == '\'' || next == '"' || next == '`') {
                    quote = next;
                }
            } else if (next == '\\' && quote != '\'') {
                at++;
            } else if (next == quote) {
                bare.append(next);
                quote = 0;
            }
        }
        return bare.toString();
    }

    /// A here-document with a quoted end, for a program that only reads it.
    private static final Pattern HEREDOC = Pattern.compile(
            "(?ms)(^[ \\t]*(?:cat|tee|python3?|node|perl|ruby|jq|sed|awk|git|psql|mysql|sqlite3|patch|wc|grep|sort)\\b"
                    + "[^\\n;&|]*?)<<-?[ \\t]*(['\"])(\\w+)\\2[^\\n]*\\n.*?^\\t*\\3[ \\t]*$");
}
