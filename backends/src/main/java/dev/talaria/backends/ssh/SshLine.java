package dev.talaria.backends.ssh;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.process.ShellWords;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes the one line for a login shell on another machine, whatever shell that is.
///
/// The line makes `/bin/sh` run a script of ours. Shells disagree about quotes, backslashes and
/// exclamation marks, so the line contains none except one kind of quote: every other byte of the
/// script that could have a meaning is written as `=0` and its octal number, which `printf %b` on the
/// other machine decodes.
final class SshLine {
    private static final String RUN =
            "exec /bin/sh -c 'eval \"$(printf %b \"$(printf %s \"$0\" | tr = \"\\134\")\")\"' ";

    private SshLine() {}

    /// Returns a line that runs a program.
    ///
    /// Both outputs begin with a line break, the mark and another line break. Anything before that
    /// does not come from the program: rc files print. The shell stays to turn a death by signal into
    /// an exit code, which ssh does not report otherwise, and prints nothing itself.
    ///
    /// @param enter what goes before the program, such as {@link #enter}; may be empty
    /// @param login whether the program sees the environment of the user's own login: then the
    ///     profile is read before
    static String of(List<String> argv, String enter, String mark, boolean login) {
        return line(
                marked(mark)
                        + enter
                        + "exec 3>&2 2>/dev/null; (exec 2>&3 3>&-; exec " + ShellWords.quote(argv) + "); exit $?",
                login);
    }

    /// Returns a script that enters a folder, whose path is quoted.
    static String enter(String folder) {
        return "cd -- " + folder + " || exit; ";
    }

    /// Returns a line that runs a script of a POSIX shell, which prints the mark first.
    static String script(String script, String mark) {
        return line(marked(mark) + script, false);
    }

    private static String marked(String mark) {
        return "printf '\\n%s\\n' " + mark + "; printf '\\n%s\\n' " + mark + " >&2; ";
    }

    /// Returns the line for a script. A profile must not read the program's input, so that waits
    /// behind another descriptor meanwhile. Shells of the C family take no command with `-l`; they
    /// read their rc file anyway.
    private static String line(String script, boolean login) {
        if (!login) {
            return RUN + encoded(script);
        }
        String inner = ShellWords.quote(RUN + encoded("exec <&9 9<&-; " + script));
        return RUN
                + encoded("exec 9<&0 </dev/null; case ${SHELL##*/} in bash|zsh|fish|dash|ash|ksh|mksh|sh) exec "
                        + "\"$SHELL\" -l -c " + inner + ";; esac; exec /bin/sh -c " + inner);
    }

    private static String encoded(String script) {
        StringBuilder line = new StringBuilder("'");
        for (byte b : script.getBytes(StandardCharsets.UTF_8)) {
            if (b == 0) {
                throw new SandboxException(
                        ErrorCode.INVALID_ARGUMENT, "An argument of a command holds a NUL. Send such data by stdin.");
            }
            if (b >= ' ' && b <= '~' && "'\\!=".indexOf(b) < 0) {
                line.append((char) b);
            } else {
                line.append("=0")
                        .append(Integer.toOctalString(0x200 | (b & 0xff)).substring(1));
            }
        }
        return line.append('\'').toString();
    }
}
