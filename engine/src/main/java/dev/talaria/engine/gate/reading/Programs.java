package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Recognizes the names of programs at the beginning of a command.
final class Programs {
    private static final Set<String> SHELLS = Set.of(
            "bash", "sh", "zsh", "ksh", "ksh93", "dash", "ash", "mksh", "lksh", "pdksh", "rbash", "rksh", "rzsh",
            "fish", "csh", "tcsh", "rc", "es", "yash", "posh", "nu", "xonsh", "elvish", "hush", "osh");

    /// Programs that a name with `*` in it may mean.
    private static final List<String> RISKY = Words.list("""
            rm dd sh bash find mkfs mke2fs shred wipefs shutdown reboot halt poweroff kill pkill killall python3 perl
            chmod chown sudo env xargs mv cp tee curl wget git
            """);

    /// GNU programs on systems where other programs have the plain names.
    private static final Set<String> GNU = Words.set("""
            grm gmv gcp gdd gln gshred gtruncate gchmod gchown gfind gxargs gsed gtar gtee genv gtimeout gnice gnohup
            gsort gsplit ginstall gkill gstdbuf gunlink grmdir gchroot
            """);

    private Programs() {}

    /// Returns the name without its folder, in small letters. Leaves out the parts that only the
    /// shell knows: the rest of `r${x}m` is the name that somebody wanted to hide.
    static String name(String word) {
        if (word.startsWith("/proc/") && word.endsWith("/exe")) {
            return "bash"; // the shell that runs the command
        }
        String known = word.indexOf('$') < 0 ? word : withoutVariables(word);
        int slash = known.lastIndexOf('/');
        String base = slash >= 0 && slash < known.length() - 1 ? known.substring(slash + 1) : known;
        String name = base.toLowerCase(Locale.ROOT);
        if (GNU.contains(name)) {
            return name.substring(1);
        }
        return Globs.wild(name) ? Globs.find(name, RISKY).orElse(name) : name;
    }

    private static String withoutVariables(String word) {
        StringBuilder left = new StringBuilder();
        int at = 0;
        while (at < word.length()) {
            if (word.charAt(at) != '$') {
                left.append(word.charAt(at++));
                continue;
            }
            at++;
            if (at < word.length() && word.charAt(at) == '(') {
                left.append('$'); // the output of another command
            } else if (at < word.length() && word.charAt(at) == '{') {
                int end = word.indexOf('}', at);
                String inner = word.substring(at + 1, end < 0 ? word.length() : end);
                int operand = inner.indexOf(":-") + 1; // ${x:-rm}
                left.append(operand > 0 ? inner.substring(operand + 1) : "");
                at = end < 0 ? word.length() : end + 1;
            } else {
                while (at < word.length() && nameLetter(word.charAt(at))) {
                    at++;
                }
            }
        }
        return left.isEmpty() ? word : left.toString();
    }

    static boolean nameLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }

    static boolean shell(String name) {
        return SHELLS.contains(name);
    }

    /// Returns whether a word is `NAME=value` or `NAME+=value`.
    static boolean assignment(String word) {
        int equals = word.indexOf('=');
        int end = equals > 0 && word.charAt(equals - 1) == '+' ? equals - 1 : equals;
        if (end < 1 || Character.isDigit(word.charAt(0))) {
            return false;
        }
        for (int i = 0; i < end; i++) {
            if (!nameLetter(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
